#pragma once

#include "core/sql/completion.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace helio {

/// Kind of a coloured range of a query.
enum class SqlToken { Keyword, Table, Function, String, Number, Comment };

/// Coloured range of a line. Begin and length are in QChars.
struct SqlRange {
    int begin = 0;
    int length = 0;
    SqlToken token{};
    bool operator==(const SqlRange&) const = default;
};

/// Theme role of a token's colour.
const char* roleOf(SqlToken token);

/// Names that are coloured and offered.
struct SqlNames {
    std::shared_ptr<const sql::Schema> schema; ///< nullptr until it is read; only keywords are known then.
};

/// Finds the coloured ranges of a line. `isInComment`: the line begins inside of a comment; set to whether the next line does. Has only
/// lexical rules: a mistake gives a wrong colour.
std::vector<SqlRange> tokenizeSql(const QString& line, const SqlNames& names, bool& isInComment);

/// A name that can be inserted at the cursor.
struct SqlCompletion {
    using Kind = sql::FittingName::Kind;
    Kind kind = Kind::Keyword;
    QString name;
    QString detail; ///< Table and type of a column, kind of another name.
    QString help; ///< One sentence; empty if there is none.
};

/// Names that fit at a position of a query.
struct SqlCompletions {
    int begin = 0; ///< Position of the word that a chosen name replaces.
    QString word; ///< The part of the word before the position.
    bool isQualified = false; ///< True after "table.": only columns of the table fit.
    std::vector<SqlCompletion> found; ///< Best names first; empty inside of texts and comments.
};
SqlCompletions completeSql(const QString& query, int position, const SqlNames& names);

/// Returns the range of the word at a line and column, both from 1, as positions in the text. `column` counts bytes of UTF-8, as the engine
/// does. If there is no word, the range has one character.
std::pair<int, int> sqlRangeAt(const QString& query, int line, int column);

} // namespace helio
