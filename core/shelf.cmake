# Shelves: folders whose items are listed by the build alone. Adding an item is adding a folder.

# helio_symbol(<out> <stem>): "call_stack_panel" gives "callStackPanel", the name of the constant that the file must define.
function(helio_symbol out stem)
    string(REPLACE "_" ";" words ${stem})
    list(POP_FRONT words symbol)
    foreach(word IN LISTS words)
        string(SUBSTRING ${word} 0 1 first)
        string(SUBSTRING ${word} 1 -1 rest)
        string(TOUPPER ${first} first)
        string(APPEND symbol ${first}${rest})
    endforeach()
    set(${out} ${symbol} PARENT_SCOPE)
endfunction()

# helio_write_shelf(<target> <shelf> <type> <header> <accessor> <symbol>...): adds a source file to the target that defines <accessor>(),
# declared in <header>: the span of the constants <symbol>..., each a <type>. Constants of a type sql::X are in the namespace helio::sql, and
# so is <accessor>().
function(helio_write_shelf target shelf type header accessor)
    set(namespace helio)
    if(type MATCHES "^(.+)::([^:]+)$")
        string(APPEND namespace "::${CMAKE_MATCH_1}")
        set(type ${CMAKE_MATCH_2})
    endif()
    set(declarations "")
    foreach(item IN LISTS ARGN)
        string(APPEND declarations "extern const ${type} ${item};\n")
    endforeach()
    list(LENGTH ARGN count)
    list(TRANSFORM ARGN PREPEND "&" OUTPUT_VARIABLE addresses)
    list(JOIN addresses ", " addresses)
    configure_file(${CMAKE_SOURCE_DIR}/core/shelf.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/shelf_${shelf}.cpp @ONLY)
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/shelf_${shelf}.cpp)
endfunction()

# helio_shelve_files(<target> <shelf> <pattern> <type> <header> <accessor>): a shelf whose items are the files of a pattern: each defines
# the constant that helio_symbol() makes of its name.
function(helio_shelve_files target shelf pattern type header accessor)
    file(GLOB files CONFIGURE_DEPENDS ${pattern})
    set(items "")
    foreach(file IN LISTS files)
        cmake_path(GET file STEM stem)
        helio_symbol(symbol ${stem})
        list(APPEND items ${symbol})
    endforeach()
    helio_write_shelf(${target} ${shelf} ${type} ${header} ${accessor} ${items})
endfunction()
