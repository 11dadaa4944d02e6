#pragma once

#include <string>
#include <string_view>

namespace helio {

enum class Demangling : unsigned char {
    Name, ///< "std::vector<int>::push_back", as perf report prints it.
    Full, ///< With the parameters.
};

/// The name as written in the source (C++, Rust, D, Ada by their own marks); the same where it is not mangled.
/// Keeps a version ("@GLIBC_2.2.5", "@plt"). A compiler's clone (".cold", ".part.0") has its function's name; Full says which. Threads:
/// any. Cost: about a microsecond.
std::string demangled(std::string_view name, Demangling how = Demangling::Name);

} // namespace helio
