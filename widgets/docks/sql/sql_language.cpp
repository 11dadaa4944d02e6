#include "widgets/docks/sql/sql_language.h"

#include "widgets/time/qt_text.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

#include <algorithm>

namespace helio {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("SqlLanguage", text); }

const QStringList& keywords()
{
    static const QStringList all =
        QStringLiteral(
            "SELECT FROM WHERE AND OR NOT NULL IS IN AS ON USING JOIN LEFT INNER CROSS OUTER FULL NATURAL GROUP BY ORDER HAVING LIMIT "
            "OFFSET "
            "DISTINCT UNION ALL EXCEPT INTERSECT CASE WHEN THEN ELSE END BETWEEN LIKE GLOB REGEXP ESCAPE EXISTS CAST WITH RECURSIVE "
            "VALUES CREATE VIEW TABLE VIRTUAL TEMP DROP IF DESC ASC OVER PARTITION ROWS RANGE PRECEDING FOLLOWING CURRENT ROW "
            "UNBOUNDED WINDOW FILTER COLLATE INSERT INTO UPDATE SET DELETE EXPLAIN QUERY PLAN NULLS FIRST LAST MATERIALIZED "
            "SPAN_JOIN SPAN_LEFT_JOIN SPAN_OUTER_JOIN PARTITIONED INTEGER REAL TEXT PERFETTO FUNCTION MACRO RETURNS INCLUDE MODULE")
            .split(u' ');
    return all;
}

const QSet<QString>& keywordSet()
{
    static const QSet<QString> all(keywords().begin(), keywords().end());
    return all;
}

bool isWordChar(QChar c) { return c.isLetterOrNumber() || c == u'_'; }

const sql::SchemaTable* tableNamed(const SqlNames& names, const QString& name)
{
    if (!names.schema)
        return nullptr;
    const auto found = std::ranges::find_if(
        names.schema->tables, [&](const sql::SchemaTable& it) { return text(it.name).compare(name, Qt::CaseInsensitive) == 0; });
    return found == names.schema->tables.end() ? nullptr : &*found;
}

bool isFunction(const SqlNames& names, const QString& name)
{
    return names.schema && std::ranges::binary_search(names.schema->functions, name.toLower().toStdString());
}

/// A word or sign of a query outside of comments.
struct Word {
    QString text;
    int begin = 0;
    bool isString = false;
};

/// Splits a query into words and signs. `isInside` is set to whether `position` is in a comment or a text.
std::vector<Word> wordsOf(const QString& query, int position, bool& isInside)
{
    std::vector<Word> words;
    isInside = false;
    for (int i = 0; i < query.size();) {
        const QChar c = query[i];
        const int begin = i;
        if (c == u'-' && query.mid(i, 2) == QLatin1String("--")) {
            const auto end = query.indexOf(u'\n', i);
            i = end < 0 ? int(query.size()) : int(end);
            isInside |= position > begin && position <= i;
        } else if (c == u'/' && query.mid(i, 2) == QLatin1String("/*")) {
            const auto end = query.indexOf(QLatin1String("*/"), i + 2);
            i = end < 0 ? int(query.size()) : int(end) + 2;
            isInside |= position > begin && (position < i || end < 0);
        } else if (c == u'\'' || c == u'"') {
            const auto end = query.indexOf(c, i + 1);
            i = end < 0 ? int(query.size()) : int(end) + 1;
            isInside |= c == u'\'' && position > begin && (position < i || end < 0);
            words.push_back({query.mid(begin + 1, std::max(0, i - begin - 2)), begin, c == u'\''});
        } else if (isWordChar(c)) {
            while (i < query.size() && isWordChar(query[i]))
                ++i;
            words.push_back({query.mid(begin, i - begin), begin, false});
        } else {
            if (!c.isSpace())
                words.push_back({QString(c), begin, false});
            ++i;
        }
    }
    return words;
}

bool isWord(const Word& it, const char* keyword)
{
    return !it.isString && it.text.compare(QLatin1String(keyword), Qt::CaseInsensitive) == 0;
}

/// A table that the statement reads, with its alias, or its own name.
struct UsedTable {
    QString alias;
    const sql::SchemaTable* table = nullptr;
};

/// Returns the tables after FROM, JOIN and commas in the statement around a position.
std::vector<UsedTable> tablesUsed(const std::vector<Word>& words, int position, const SqlNames& names)
{
    std::size_t first = 0;
    std::size_t last = words.size();
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i].text == QLatin1String(";") && !words[i].isString) {
            if (words[i].begin < position)
                first = i + 1;
            else {
                last = i;
                break;
            }
        }
    std::vector<UsedTable> used;
    bool isInFrom = false;
    for (std::size_t i = first; i < last; ++i) {
        const Word& word = words[i];
        const bool begins = isWord(word, "from") || isWord(word, "join");
        isInFrom = begins
            || (isInFrom && !isWord(word, "where") && !isWord(word, "group") && !isWord(word, "order") && !isWord(word, "select")
                && !isWord(word, "on") && !isWord(word, "using") && !isWord(word, "limit"));
        if (!begins && !(isInFrom && word.text == QLatin1String(",")))
            continue;
        const sql::SchemaTable* table = i + 1 < last ? tableNamed(names, words[i + 1].text) : nullptr;
        if (!table)
            continue;
        std::size_t next = i + 2;
        if (next < last && isWord(words[next], "as"))
            ++next;
        const bool hasAlias = next < last && isWordChar(words[next].text.isEmpty() ? QChar() : words[next].text[0])
            && !keywordSet().contains(words[next].text.toUpper());
        used.push_back({hasAlias ? words[next].text : words[i + 1].text, table});
    }
    return used;
}

/// Type of a column; that of a column with the same name elsewhere if a view does not declare it.
QString typeOf(const sql::SchemaColumn& column, const SqlNames& names)
{
    std::string type = column.type;
    if (type.empty())
        for (const sql::SchemaTable& table : names.schema->tables)
            for (const sql::SchemaColumn& it : table.columns)
                if (type.empty() && it.name == column.name)
                    type = it.type;
    const QString written = text(type).toUpper();
    return written == QLatin1String("INTEGER") || written == QLatin1String("BIGINT") ? QStringLiteral("INT") : written;
}

void addColumns(const UsedTable& used, const SqlNames& names, std::vector<SqlCompletion>& out)
{
    const QString table = text(used.table->name);
    for (const sql::SchemaColumn& column : used.table->columns) {
        const QString name = text(column.name);
        const QString type = typeOf(column, names);
        out.push_back({SqlCompletion::Kind::Column, name, type.isEmpty() ? table : QStringLiteral("%1 · %2").arg(table, type),
                       text(sql::describeColumn(used.table->name, column.name))});
    }
}

} // namespace

const char* roleOf(SqlToken token)
{
    switch (token) {
    case SqlToken::Keyword: return "text.link";
    case SqlToken::Table: return "mark.unsynced";
    case SqlToken::Function: return "text.primary";
    case SqlToken::String: return "severity.good";
    case SqlToken::Number: return "severity.warning";
    case SqlToken::Comment: return "text.hint";
    }
    return "text.primary";
}

std::vector<SqlRange> tokenizeSql(const QString& line, const SqlNames& names, bool& isInComment)
{
    std::vector<SqlRange> ranges;
    int i = 0;
    const auto add = [&](int begin, int end, SqlToken token) { ranges.push_back({begin, end - begin, token}); };
    const auto endComment = [&](int begin, int from) {
        const auto end = line.indexOf(QLatin1String("*/"), from);
        isInComment = end < 0;
        i = end < 0 ? int(line.size()) : int(end) + 2;
        add(begin, i, SqlToken::Comment);
    };
    if (isInComment)
        endComment(0, 0);
    while (i < line.size()) {
        const QChar c = line[i];
        const int begin = i;
        if (c == u'-' && line.mid(i, 2) == QLatin1String("--")) {
            add(i, int(line.size()), SqlToken::Comment);
            break;
        }
        if (c == u'/' && line.mid(i, 2) == QLatin1String("/*")) {
            endComment(i, i + 2);
        } else if (c == u'\'') {
            const auto end = line.indexOf(u'\'', i + 1);
            i = end < 0 ? int(line.size()) : int(end) + 1;
            add(begin, i, SqlToken::String);
        } else if (c.isDigit()) {
            while (i < line.size()
                   && (isWordChar(line[i]) || line[i] == u'.'
                       || ((line[i] == u'-' || line[i] == u'+') && (line[i - 1] == u'e' || line[i - 1] == u'E'))))
                ++i;
            add(begin, i, SqlToken::Number);
        } else if (isWordChar(c)) {
            while (i < line.size() && isWordChar(line[i]))
                ++i;
            const QString word = line.mid(begin, i - begin);
            const bool isColumn = begin > 0 && line[begin - 1] == u'.';
            if (isColumn)
                continue;
            if (i < line.size() && line[i] == u'(' && isFunction(names, word))
                add(begin, i, SqlToken::Function);
            else if (keywordSet().contains(word.toUpper()))
                add(begin, i, SqlToken::Keyword);
            else if (tableNamed(names, word))
                add(begin, i, SqlToken::Table);
        } else {
            ++i;
        }
    }
    return ranges;
}

SqlCompletions completeSql(const QString& query, int position, const SqlNames& names)
{
    constexpr std::size_t Most = 200;
    SqlCompletions result;
    result.begin = position;
    while (result.begin > 0 && isWordChar(query[result.begin - 1]))
        --result.begin;
    result.word = query.mid(result.begin, position - result.begin);
    bool isInside = false;
    const std::vector<Word> words = wordsOf(query, position, isInside);
    if (isInside || (!result.word.isEmpty() && result.word[0].isDigit()))
        return result;
    const std::vector<UsedTable> used = tablesUsed(words, position, names);
    std::vector<SqlCompletion> all;
    const Word* before = nullptr; // Word before the one at the position.
    const Word* beforeThat = nullptr;
    for (const Word& word : words)
        if (word.begin < result.begin) {
            beforeThat = before;
            before = &word;
        }
    result.isQualified = before && before->text == QLatin1String(".") && beforeThat && before->begin == result.begin - 1;
    if (result.isQualified) {
        const auto named =
            std::ranges::find_if(used, [&](const UsedTable& it) { return it.alias.compare(beforeThat->text, Qt::CaseInsensitive) == 0; });
        if (named != used.end())
            addColumns(*named, names, all);
        else if (const sql::SchemaTable* table = tableNamed(names, beforeThat->text))
            addColumns({{}, table}, names, all);
    } else {
        const bool isTablePlace = before && (isWord(*before, "from") || isWord(*before, "join"));
        if (!isTablePlace) {
            for (const UsedTable& it : used)
                addColumns(it, names, all);
            // A column that several tables have is offered once.
            QSet<QString> seen;
            std::erase_if(all,
                          [&](const SqlCompletion& it) { return std::exchange(seen, seen + QSet<QString>{it.name}).contains(it.name); });
        }
        if (names.schema)
            for (const sql::SchemaTable& table : names.schema->tables)
                all.push_back(
                    {SqlCompletion::Kind::Table, text(table.name), table.isView ? tr("view") : tr("table"), tr("Columns: %1").arg([&] {
                         QStringList columns;
                         for (const sql::SchemaColumn& column : table.columns)
                             columns << text(column.name);
                         return columns.join(QStringLiteral(", "));
                     }())});
        if (!isTablePlace) {
            if (names.schema)
                for (const std::string& function : names.schema->functions)
                    all.push_back({SqlCompletion::Kind::Function, text(function), tr("function"), {}});
            for (const QString& keyword : keywords())
                all.push_back({SqlCompletion::Kind::Keyword, keyword, tr("keyword"), {}});
        }
    }
    // Names that begin with the word come before names that contain it; a name that is written completely needs no completion.
    for (const bool begins : {true, false})
        for (const SqlCompletion& it : all) {
            const bool isBegun = it.name.startsWith(result.word, Qt::CaseInsensitive);
            if (result.found.size() < Most && isBegun == begins && (isBegun || it.name.contains(result.word, Qt::CaseInsensitive)))
                result.found.push_back(it);
        }
    if (result.found.size() == 1 && result.found.front().name.compare(result.word, Qt::CaseInsensitive) == 0)
        result.found.clear();
    return result;
}

std::pair<int, int> sqlRangeAt(const QString& query, int line, int column)
{
    qsizetype begin = 0;
    for (int i = 1; i < line; ++i) {
        const auto next = query.indexOf(u'\n', begin);
        if (next < 0)
            break;
        begin = next + 1;
    }
    const auto end = query.indexOf(u'\n', begin);
    const QString words = query.mid(begin, end < 0 ? -1 : end - begin);
    const auto at = int(begin + QString::fromUtf8(words.toUtf8().left(std::max(0, column - 1))).size());
    int last = std::min(at, int(query.size()));
    while (last < query.size() && isWordChar(query[last]))
        ++last;
    if (last == at)
        last = std::min(at + 1, int(query.size()));
    return {std::min(at, last), last};
}

} // namespace helio
