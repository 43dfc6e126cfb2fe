"""HTTP as the program serves and uses it: server, routes, addresses, proxies."""
