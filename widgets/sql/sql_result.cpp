#include "widgets/sql/sql_result.h"

#include "core/base/json.h"
#include "core/query/rows/facts.h"
#include "widgets/controls/table_copy.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr qsizetype MostShown = 500; ///< Longest text of a cell in characters.
// Bounds for made-up times and durations, so that sums and differences of times do not overflow. 2^62 ns after 1970 is in 2116.
constexpr std::int64_t LatestTime = std::int64_t{1} << 62;
constexpr std::int64_t LongestTime = std::int64_t{1} << 61;

QString doubleText(double value) { return QString::number(value, 'g', QLocale::FloatingPointShortest); }

int rankOf(const sql::Value& value)
{
    switch (value.index()) {
    case 0: return 0;
    case 3: return 2;
    default: return 1;
    }
}

} // namespace

int SqlResult::column(std::string_view name) const
{
    const auto found = std::ranges::find_if(columns, [name](const std::string& it) {
        return it.size() == name.size() && text(it).compare(text(name), Qt::CaseInsensitive) == 0;
    });
    return found == columns.end() ? -1 : int(found - columns.begin());
}

std::optional<std::int64_t> SqlResult::integer(std::size_t row, int column) const
{
    const auto* number = column < 0 ? nullptr : std::get_if<std::int64_t>(&value(row, column));
    return number ? std::optional(*number) : std::nullopt;
}

QString rawText(const sql::Value& value)
{
    if (const auto* number = std::get_if<std::int64_t>(&value))
        return QString::number(*number);
    if (const auto* real = std::get_if<double>(&value))
        return doubleText(*real);
    if (const auto* words = std::get_if<std::string>(&value))
        return text(*words);
    return {};
}

QString shownText(const sql::Value& value, SqlColumnRole role, const TimeFormat& format)
{
    if (std::holds_alternative<std::monostate>(value))
        return QStringLiteral("NULL");
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        switch (role) {
        case SqlColumnRole::Time: return timeText(timestamp(*number), format);
        case SqlColumnRole::Length: return *number == -1 ? QStringLiteral("\u2013") : durationText(Duration(*number));
        case SqlColumnRole::Number: return QString::number(*number);
        default: return countText(*number);
        }
    }
    if (const auto* real = std::get_if<double>(&value)) {
        if (role == SqlColumnRole::Length && std::abs(*real) < 9e18)
            return durationText(Duration(std::llround(*real)));
        return doubleText(*real);
    }
    QString words = text(std::string_view(std::get<std::string>(value)).substr(0, std::size_t(MostShown) * 4)).left(MostShown);
    for (QChar& c : words)
        if (c == u'\n' || c == u'\r' || c == u'\t')
            c = u' ';
    return words;
}

bool isLess(const sql::Value& a, const sql::Value& b)
{
    if (rankOf(a) != rankOf(b))
        return rankOf(a) < rankOf(b);
    if (a.index() == b.index())
        return a < b;
    return numberOf(a).value_or(0) < numberOf(b).value_or(0);
}

std::optional<double> numberOf(const sql::Value& value)
{
    if (const auto* number = std::get_if<std::int64_t>(&value))
        return double(*number);
    if (const auto* real = std::get_if<double>(&value))
        return *real;
    return {};
}

std::optional<SqlRowPlace> placeOf(const SqlResult& result, std::size_t row)
{
    const auto ts = result.integer(row, result.column("ts"));
    if (!ts)
        return {};
    if (*ts < -LatestTime || *ts > LatestTime)
        return {};
    const Timestamp begin = timestamp(*ts);
    const auto dur = result.integer(row, result.column("dur"));
    if (!dur)
        return SqlRowPlace{{begin, begin}, false};
    if (*dur < 0)
        return SqlRowPlace{{begin, result.timeline ? std::max(begin, rangeOf(*result.timeline).end) : begin}, true};
    return SqlRowPlace{{begin, begin + Duration(std::min(*dur, LongestTime))}, false};
}

TrackRef trackOf(const SqlResult& result, std::size_t row)
{
    if (!result.locator)
        return {};
    TrackRef found;
    if (const auto track = result.integer(row, result.column("track_id")))
        found = result.locator->trackRow(*track);
    if (const auto utid = result.integer(row, result.column("utid")); utid && !found.isValid())
        found = result.locator->threadRow(*utid);
    for (const char* name : {"ucpu", "cpu"})
        if (const auto cpu = result.integer(row, result.column(name)); cpu && !found.isValid())
            found = result.locator->cpuRow(*cpu);
    return found;
}

QString sqlCsv(const SqlResult& result, const std::vector<std::size_t>& rows)
{
    QStringList titles;
    for (const std::string& name : result.columns)
        titles << csvQuoted(text(name));
    QString csv = titles.join(u',') + u'\n';
    for (const std::size_t row : rows)
        for (int column = 0; column < int(result.columns.size()); ++column)
            csv += csvQuoted(rawText(result.value(row, column))) + (column + 1 < int(result.columns.size()) ? u',' : u'\n');
    return csv;
}

QByteArray sqlJson(const SqlResult& result, const std::vector<std::size_t>& rows)
{
    std::string lines;
    for (const std::size_t row : rows) {
        JsonWriter json(lines);
        json.beginObject();
        for (int column = 0; column < int(result.columns.size()); ++column) {
            json.key(result.columns[std::size_t(column)]);
            const sql::Value& value = result.value(row, column);
            if (const auto* number = std::get_if<std::int64_t>(&value))
                json.value(*number);
            else if (const auto* real = std::get_if<double>(&value))
                json.value(*real);
            else if (const auto* words = std::get_if<std::string>(&value))
                json.value(std::string_view(*words));
            else
                json.null();
        }
        json.endObject();
        lines += '\n';
    }
    return QByteArray(lines.data(), qsizetype(lines.size()));
}

QString sqlTitle(const QString& query)
{
    constexpr qsizetype Most = 60;
    for (const QString& line : query.split(u'\n')) {
        QString words = line.simplified();
        if (words.startsWith(QLatin1String("--")))
            words = words.mid(2).trimmed();
        if (!words.isEmpty())
            return words.size() > Most ? words.left(Most - 1) + QChar(0x2026) : words;
    }
    return {};
}

} // namespace helio
