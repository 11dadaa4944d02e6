# CPack runs this before it makes a package, whose files then have the time of the source.
execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/source-date OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(ENV{SOURCE_DATE_EPOCH} ${date})
