# NLSTREAM_SANITIZE: a list for -fsanitize= ("address,undefined", "thread", "fuzzer,address").
set(NLSTREAM_SANITIZE "" CACHE STRING "Sanitizers to build everything with")
option(NLSTREAM_LTO "Link-time optimisation" OFF)
option(NLSTREAM_FUZZERS "Build the fuzzers (needs clang)" OFF)
if(NLSTREAM_SANITIZE)
  string(REPLACE "," ";" sanitizers "${NLSTREAM_SANITIZE}")
  add_compile_options(-fsanitize=${NLSTREAM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${NLSTREAM_SANITIZE})
  if("thread" IN_LIST sanitizers)
    # The thread sanitizer knows no fences; Asio does not need them where it has locks and atomics.
    add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
endif()
