#pragma once

#include "core/sql/schema.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio::sql {

/// A name that can be inserted into a text of statements.
struct FittingName {
    enum class Kind : std::uint8_t { Column, Table, Function, Keyword, Module };
    Kind kind = Kind::Keyword;
    std::string name; ///< Keywords are in capitals.
    const SchemaTable* table = nullptr; ///< The table, or the table of the column; nullptr for other names.
    const SchemaColumn* column = nullptr; ///< nullptr for names that are no columns.
};

/// The names that fit at a position.
/// Ownership: refers to the schema.
struct FittingNames {
    std::size_t begin = 0; ///< Offset of the word before the position, which a chosen name replaces.
    bool isQualified =
        false; ///< True if only one kind of names fits: after the name of a table and a dot, or after INCLUDE PERFETTO MODULE.
    /// First the names that begin with the word, then those that contain it: columns, tables, functions, keywords. The case is ignored.
    std::vector<FittingName> names;
};

/// Finds the names that fit at an offset of a text of statements. Nothing fits in comments, texts and numbers. Columns of the tables that
/// the statement reads fit; while it reads none, the columns of all tables. Cost: reads the whole text.
FittingNames findFittingNames(std::string_view text, std::size_t position, const Schema& schema);

/// True if a word is a keyword of SQL or of the dialect that completion offers. The case is ignored.
bool isKeyword(std::string_view word);

} // namespace helio::sql
