"""Tests of what keeps the chapters true."""
