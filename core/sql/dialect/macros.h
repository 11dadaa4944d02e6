#pragma once

#include "core/base/result.h"
#include "core/sql/dialect/mapped_text.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace helio::sql {

/// A macro: a text that stands for the tokens `name!(arguments)`.
struct Macro {
    std::string name;
    std::vector<std::string> parameters; ///< Names, without the `$` that precedes them in the body.
    std::string body;
};

/// The macros that statements created.
class Macros {
public:
    bool contains(const std::string& name) const;
    void add(Macro macro); ///< Replaces a macro of the same name.
    bool remove(const std::string& name); ///< Returns false if there is no such macro.

    /// Returns the text from `begin` to `end` of `source`, in which what its macros stand for replaces them.
    /// Errors: Usage for unknown macros and wrong numbers of arguments, with their position; for macros that are nested too deeply,
    /// e.g. because they contain themselves, and for those that stand for too much text.
    Result<MappedText> expand(const SourceText& source, std::size_t begin, std::size_t end) const;

private:
    std::map<std::string, Macro> m_macros; ///< Macros by their folded names.
};

} // namespace helio::sql
