# How plugins are built, in the project itself and, after find_package(tenon), in any other one.
include_guard(GLOBAL)

# What keeps a mistake from becoming a hole: a guard behind texts on the stack (behind all arrays it would cost laws and
# solvers more than 1 %), checked sizes of copies (which need an optimising compiler), and tables of the linker that are
# complete and read-only before anything runs.
function(tenon_harden target scope)
    target_compile_options(${target} ${scope} -fstack-protector
        $<$<NOT:$<OR:$<CONFIG:Debug>,$<BOOL:${TENON_SANITIZE}>>>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
    target_link_options(${target} ${scope} -Wl,-z,relro -Wl,-z,now)
endfunction()

# tenon_add_plugin(NAME SOURCES file.c ... [VALUE_ONLY file.c ...] [LIBRARIES library ...] [NEEDS package ...]
#                  [INCLUDES folder ...] [TEST_LIBRARIES library ...] [TYPES name ...])
#
# Builds NAME.so, installed to lib/tenon/plugins. Every file of SOURCES is compiled twice from one text: as C
# for values, and as C++ over dual numbers for exact derivatives (see tenon/scalar.h), and once more over second-order
# numbers when it has a TN_CONSTRAINT. Files of VALUE_ONLY have
# nothing to differentiate (solvers, writers, tables) and are compiled as C only.
#
# A library of several types names them in TYPES: each is found by a link TYPE.so beside NAME.so.
#
# Its tests within the project are linked to LIBRARIES and TEST_LIBRARIES.
#
# A library `found::NAME` that tenon_find_library() did not find leaves the plugin out, with a message; NEEDS names the Debian packages
# that it comes from. The project's build lists all its plugins, and what those left out need (property TENON_PLUGINS), for `tenon
# plugins` and for messages on types that are not there. So a plugin with a library of its own takes two lines:
#
#     tenon_find_library(matio HEADER matio.h)
#     tenon_add_plugin(linearise VALUE_ONLY linearise.c LIBRARIES found::matio NEEDS libmatio-dev)
#
# cmake -D MATIO_LIBRARY=OFF configures as if the library were not there.
function(tenon_add_plugin name)
    cmake_parse_arguments(PARSE_ARGV 1 plugin "" "" "SOURCES;VALUE_ONLY;LIBRARIES;NEEDS;INCLUDES;TEST_LIBRARIES;TYPES")
    if(plugin_UNPARSED_ARGUMENTS OR NOT (plugin_SOURCES OR plugin_VALUE_ONLY))
        message(FATAL_ERROR "tenon_add_plugin(${name}): expected SOURCES or VALUE_ONLY, then files; "
                            "got '${plugin_UNPARSED_ARGUMENTS}'")
    endif()
    set(missing "")
    foreach(library IN LISTS plugin_LIBRARIES)
        if(library MATCHES "^found::(.*)" AND NOT TARGET ${library})
            list(APPEND missing ${CMAKE_MATCH_1})
        endif()
    endforeach()
    tenon_list_plugin(${name} "${plugin_TYPES}" "${missing}" "${plugin_NEEDS}")
    if(missing)
        list(JOIN missing ", " libraries)
        list(JOIN plugin_NEEDS " " packages)
        message(STATUS "plugin ${name} is left out: not found: ${libraries} (Debian: ${packages})")
        return()
    endif()

    set(dual_sources "")
    foreach(source IN LISTS plugin_SOURCES)
        tenon_pass_source(${source} dual 1 dual)
        list(APPEND dual_sources ${dual})
        file(STRINGS ${source} constraint LIMIT_COUNT 1 REGEX "^ *TN_CONSTRAINT(_WITH_UNKNOWNS)? *\\(")
        if(constraint)
            tenon_pass_source(${source} second 3 second)
            list(APPEND dual_sources ${second})
        endif()
    endforeach()
    set_source_files_properties(${plugin_SOURCES} PROPERTIES COMPILE_DEFINITIONS TN_EXACT)

    add_library(${name} MODULE ${plugin_SOURCES} ${plugin_VALUE_ONLY} ${dual_sources})
    set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" INSTALL_RPATH "$ORIGIN"
        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON # padding that is edited later means the current folder
        TEST_LIBRARIES "${plugin_LIBRARIES};${plugin_TEST_LIBRARIES}"
        C_STANDARD 17 CXX_STANDARD 17 C_STANDARD_REQUIRED ON CXX_STANDARD_REQUIRED ON
        C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_include_directories(${name} PRIVATE ${plugin_INCLUDES})
    target_link_libraries(${name} PRIVATE tenon::sdk ${plugin_LIBRARIES} m)
    target_compile_options(${name} PRIVATE $<$<CONFIG:>:-O3>) # also where nobody chose a kind of build
    # All symbols are resolved when the plugin is built and again when it is loaded, never during a run.
    # A sanitizer's own symbols are defined by the program only.
    target_link_options(${name} PRIVATE -Wl,--as-needed $<$<NOT:$<BOOL:${TENON_SANITIZE}>>:-Wl,-z,defs>)
    install(TARGETS ${name} LIBRARY DESTINATION lib/tenon/plugins)
    foreach(type IN LISTS plugin_TYPES)
        set(link $<TARGET_FILE_DIR:${name}>/${type}.so)
        add_custom_command(TARGET ${name} POST_BUILD VERBATIM
                           COMMAND ${CMAKE_COMMAND} -E create_symlink ${name}.so ${link})
        install(FILES ${link} DESTINATION lib/tenon/plugins)
    endforeach()
endfunction()

# Adds lines "KIND TYPE LIBRARY PACKAGE ..." to TENON_PLUGINS, with packages where libraries are missing, and these to
# TENON_MISSING_PACKAGES. The kind is that of the folder around the plugin's own, without its plural.
function(tenon_list_plugin name types missing needs)
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH kind)
    cmake_path(GET kind FILENAME kind)
    string(REGEX REPLACE "s$" "" kind ${kind})
    if(NOT missing)
        set(needs "")
    elseif(NOT needs)
        set(needs ${missing}) # nobody says which package: the libraries
    endif()
    set_property(GLOBAL APPEND PROPERTY TENON_MISSING_PACKAGES ${needs})
    list(JOIN needs " " packages)
    if(NOT types)
        set(types ${name})
    endif()
    foreach(type IN LISTS types)
        string(STRIP "${kind} ${type} ${name} ${packages}" line)
        set_property(GLOBAL APPEND PROPERTY TENON_PLUGINS ${line})
    endforeach()
endfunction()

# Writes the C++ file that compiles `source` in a pass of this name and number (see scalar.h); its path goes to `result`.
function(tenon_pass_source source pass number result)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE text)
    cmake_path(GET text STEM stem)
    set(written ${CMAKE_CURRENT_BINARY_DIR}/${stem}.${pass}.cpp)
    file(CONFIGURE OUTPUT ${written} CONTENT "#include \"${text}\"\n" @ONLY)
    # Scalars of the passes stay within one object, so their calling convention matters to nobody: -Wno-psabi.
    set_source_files_properties(${written} PROPERTIES COMPILE_DEFINITIONS "TN_EXACT;TN_PASS=${number}"
                                COMPILE_OPTIONS "-fno-exceptions;-fno-rtti;-Wno-psabi")
    set(${result} ${written} PARENT_SCOPE)
endfunction()

# tenon_find_library(NAME HEADER header.h [IN folder ...])
#
# Looks for the library NAME and its header (in the system's include folders, or in folders within them) and
# defines the target found::NAME when both are there.
function(tenon_find_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER" "IN")
    string(TOUPPER ${name} upper)
    find_library(${upper}_LIBRARY ${name})
    find_path(${upper}_INCLUDE ${arg_HEADER} PATH_SUFFIXES ${arg_IN})
    mark_as_advanced(${upper}_LIBRARY ${upper}_INCLUDE)
    if(${upper}_LIBRARY AND ${upper}_INCLUDE AND NOT TARGET found::${name})
        add_library(found::${name} UNKNOWN IMPORTED GLOBAL)
        set_target_properties(found::${name} PROPERTIES IMPORTED_LOCATION ${${upper}_LIBRARY}
                              INTERFACE_INCLUDE_DIRECTORIES ${${upper}_INCLUDE})
    endif()
endfunction()
