#pragma once

#include "core/base/result.h"
#include "core/sql/dialect/macros.h"
#include "core/sql/dialect/mapped_text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace helio::sql {

/// Type of an argument or a column, as the dialect declares it.
enum class DeclaredType : std::uint8_t { Any, Integer, Real, Text, Blob };

struct DeclaredColumn {
    std::string name;
    DeclaredType type = DeclaredType::Any;
    std::string typeName; ///< The type as it was written, e.g. "TIMESTAMP".
};

/// A statement that SQLite itself understands.
struct PlainStatement {
    MappedText text;
};

/// CREATE PERFETTO TABLE or VIEW.
struct CreateRelation {
    bool isView = false;
    bool replaces = false; ///< True for CREATE OR REPLACE.
    std::string name;
    std::vector<DeclaredColumn> columns; ///< Declared columns; empty if the statement declares none.
    MappedText select;
};

/// CREATE PERFETTO FUNCTION.
struct CreateFunction {
    bool replaces = false;
    std::string name;
    std::vector<DeclaredColumn> arguments;
    std::vector<DeclaredColumn> columns; ///< Columns of a function that returns a table; empty if it returns a value.
    DeclaredColumn result; ///< Type of the value; its name is empty.
    MappedText select;

    bool returnsTable() const { return !columns.empty(); }
};

/// CREATE PERFETTO MACRO.
struct CreateMacro {
    bool replaces = false;
    Macro macro;
};

/// CREATE PERFETTO INDEX.
struct CreateIndex {
    bool replaces = false;
    std::string name;
    MappedText definition; ///< `table(columns)`.
};

/// DROP PERFETTO TABLE, VIEW, FUNCTION, MACRO or INDEX.
struct DropObject {
    enum class Kind : std::uint8_t { Table, View, Function, Macro, Index };
    Kind kind = Kind::Table;
    bool mayBeMissing = false; ///< True for IF EXISTS.
    std::string name;
};

/// INCLUDE PERFETTO MODULE.
struct IncludeModule {
    std::string pattern; ///< Name of a module, e.g. "slices.with_context"; may end with "*" for all modules with that begin.
};

/// A statement of the dialect.
struct DialectStatement {
    std::variant<PlainStatement, CreateRelation, CreateFunction, CreateMacro, CreateIndex, DropObject, IncludeModule> what;
    std::size_t begin = 0; ///< Offset of the statement in the original text.
};

/// Splits a text into statements, and replaces macros.
/// Ownership: refers to the source and the macros, which must exist as long as the reader.
class StatementReader {
public:
    StatementReader(const SourceText& source, const Macros& macros)
        : m_source(source)
        , m_macros(macros)
    {
    }

    /// Returns the next statement; nullopt at the end. A macro can be used by the statements after the one that creates it.
    /// Errors: Usage for statements of the dialect that are wrong, and those of Macros::expand(), with their position.
    Result<std::optional<DialectStatement>> next();
    /// True if no statement follows.
    bool isAtEnd() const;

private:
    const SourceText& m_source;
    const Macros& m_macros;
    std::size_t m_at = 0;
};

} // namespace helio::sql
