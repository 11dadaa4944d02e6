#pragma once

#include <string>
#include <string_view>

namespace helio {

enum class Demangling : unsigned char {
    Name, ///< Name as perf report prints it, for example "std::vector<int>::push_back".
    Full, ///< Name with its parameters.
};

/// Returns the name as written in the source (C++, Rust, D, Ada, recognized by their prefixes); unchanged if it is not mangled. Keeps a
/// version ("@GLIBC_2.2.5", "@plt"). A compiler's clone (".cold", ".part.0") gets the name of its function; only Full names the clone.
/// Threads: any.
/// Cost: about 1 us.
std::string demangled(std::string_view name, Demangling how = Demangling::Name);

} // namespace helio
