#include "widgets/sql/sql_language.h"

#include "widgets/time/qt_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace helio {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("SqlLanguage", text); }

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

QString detailOf(const sql::FittingName& name, const SqlNames& names)
{
    switch (name.kind) {
    case SqlCompletion::Kind::Column: {
        const QString type = typeOf(*name.column, names);
        return type.isEmpty() ? text(name.table->name) : QStringLiteral("%1 · %2").arg(text(name.table->name), type);
    }
    case SqlCompletion::Kind::Table: return name.table->isView ? tr("view") : tr("table");
    case SqlCompletion::Kind::Function: return tr("function");
    case SqlCompletion::Kind::Module: return tr("module");
    case SqlCompletion::Kind::Keyword: return tr("keyword");
    }
    return {};
}

QString helpOf(const sql::FittingName& name)
{
    if (name.column)
        return text(sql::describeColumn(name.table->name, name.column->name));
    if (!name.table)
        return {};
    QStringList columns;
    for (const sql::SchemaColumn& column : name.table->columns)
        columns << text(column.name);
    return tr("Columns: %1").arg(columns.join(QStringLiteral(", ")));
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
            else if (sql::isKeyword(word.toStdString()))
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
    static const sql::Schema None;
    const QByteArray bytes = query.toUtf8();
    const auto offset = static_cast<std::size_t>(query.left(position).toUtf8().size());
    sql::FittingNames fitting =
        sql::findFittingNames({bytes.data(), std::size_t(bytes.size())}, offset, names.schema ? *names.schema : None);
    SqlCompletions result;
    result.begin = int(QString::fromUtf8(bytes.left(qsizetype(fitting.begin))).size());
    result.word = query.mid(result.begin, position - result.begin);
    result.isQualified = fitting.isQualified;
    fitting.names.resize(std::min(fitting.names.size(), Most));
    for (const sql::FittingName& name : fitting.names)
        result.found.push_back({name.kind, text(name.name), detailOf(name, names), helpOf(name)});
    // A name that is written completely needs no completion.
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
