#include "core/symbol/tables/demangler.h"

#define HAVE_DECL_BASENAME 1 // Keeps libiberty.h from declaring basename(), which would conflict with <string.h> of glibc.

#include <cstdlib>
#include <libiberty/demangle.h>
#include <memory>

namespace helio {

namespace {

/// Maximum length of names to demangle: longer names are generated, and the demangler's time grows faster than the length.
constexpr std::size_t MaxLength = 16384;

bool looksMangled(std::string_view name)
{
    return name.starts_with("_Z") || name.starts_with("__Z") || name.starts_with("_R") || name.starts_with("_D")
        || name.starts_with("_GLOBAL_");
}

} // namespace

std::string demangled(std::string_view name, Demangling how)
{
    if (!looksMangled(name) || name.size() > MaxLength)
        return std::string(name);
    const std::size_t version = name.find('@');
    const std::string core(name.substr(0, version));
    const int options = how == Demangling::Full ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
    const std::unique_ptr<char, decltype(&std::free)> text(cplus_demangle(core.c_str(), options | DMGL_AUTO), &std::free);
    if (!text)
        return std::string(name);
    std::string result = text.get();
    if (version != std::string_view::npos)
        result += name.substr(version);
    return result;
}

} // namespace helio
