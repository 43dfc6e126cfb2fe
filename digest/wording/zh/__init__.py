"""Simplified Chinese, written for Chinese readers rather than translated word by word."""
