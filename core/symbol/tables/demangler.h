#pragma once

#include <string>
#include <string_view>

namespace helio {

enum class Demangling : unsigned char {
    Name, ///< Name as perf report prints it, for example "std::vector<int>::push_back".
    Full, ///< Name with its parameters.
};

/// Returns the name as written in the source code; unchanged if it is not mangled. Recognizes the manglings of C++, Rust, D and Ada by
/// their prefixes. A version ("@GLIBC_2.2.5", "@plt") is kept. A clone made by the compiler (".cold", ".part.0") gets the name of its
/// function; only Full also names the clone.
/// Threads: any.
/// Cost: about 1 us.
std::string demangled(std::string_view name, Demangling how = Demangling::Name);

} // namespace helio
