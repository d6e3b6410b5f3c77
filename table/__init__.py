"""The service: config, desk, journal, web page, command line, doctor. The one room that may import all others."""
