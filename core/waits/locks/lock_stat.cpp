#include "core/waits/locks/lock_stat.h"

#include "core/base/wide_sum.h"
#include "core/query/rows/rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <utility>

namespace helio {
namespace {

constexpr std::string_view Begin = "lock_stat version ";
constexpr std::string_view Blanks = " \t\r";
/// Maximum length of a line of the file in bytes. A line about a class of locks has about 230 bytes; the line about a contention point
/// is as long as the name of its symbol.
constexpr std::size_t LongestLine = 4096;

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(Blanks);
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(Blanks) - begin + 1);
}

std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

/// Removes the last word of `text` and returns it.
std::string_view takeLastWord(std::string_view& text)
{
    text = trimmed(text);
    const std::size_t blank = text.find_last_of(Blanks);
    const std::string_view word = blank == std::string_view::npos ? text : text.substr(blank + 1);
    text = trimmed(text.substr(0, text.size() - word.size()));
    return word;
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= 0 ? std::optional(number) : std::nullopt;
}

/// Parses a time in µs with two decimals, for example "939.10", and returns ns; nullopt if it is invalid.
std::optional<std::int64_t> nanosecondsIn(std::string_view text)
{
    const std::size_t point = text.find('.');
    if (point == std::string_view::npos)
        return {};
    const auto whole = wholeNumber(text.substr(0, point));
    const std::string_view rest = text.substr(point + 1);
    const auto hundredths = wholeNumber(rest);
    if (!whole || !hundredths || rest.size() != 2 || *whole >= INT64_MAX / 1000)
        return {};
    return *whole * 1000 + *hundredths * 10;
}

/// A column of the file, and the member of LockStatClass that stores it.
struct Column {
    std::string_view name;
    bool isTime;
    void (*put)(LockStatClass&, std::int64_t);
};
constexpr Column Columns[] = {
    {"con-bounces", false, [](LockStatClass& it, std::int64_t n) { it.waitBounces = n; }},
    {"contentions", false, [](LockStatClass& it, std::int64_t n) { it.contentions = n; }},
    {"waittime-min", true, [](LockStatClass& it, std::int64_t n) { it.waits.least = Duration(n); }},
    {"waittime-max", true, [](LockStatClass& it, std::int64_t n) { it.waits.most = Duration(n); }},
    {"waittime-total", true, [](LockStatClass& it, std::int64_t n) { it.waits.total = Duration(n); }},
    {"waittime-avg", true, [](LockStatClass& it, std::int64_t n) { it.waits.mean = Duration(n); }},
    {"acq-bounces", false, [](LockStatClass& it, std::int64_t n) { it.bounces = n; }},
    {"acquisitions", false, [](LockStatClass& it, std::int64_t n) { it.acquisitions = n; }},
    {"holdtime-min", true, [](LockStatClass& it, std::int64_t n) { it.holds.least = Duration(n); }},
    {"holdtime-max", true, [](LockStatClass& it, std::int64_t n) { it.holds.most = Duration(n); }},
    {"holdtime-total", true, [](LockStatClass& it, std::int64_t n) { it.holds.total = Duration(n); }},
    {"holdtime-avg", true, [](LockStatClass& it, std::int64_t n) { it.holds.mean = Duration(n); }},
};

class Parser {
public:
    Result<LockStat> parse(std::string_view text)
    {
        std::string_view first = trimmed(takeLine(text));
        m_stat.version = first.substr(std::min(Begin.size(), first.size()), LongestLine);
        for (m_line = 2; !text.empty(); ++m_line)
            take(trimmed(takeLine(text)));
        if (m_columns.empty())
            return Error{Error::Kind::Corrupt, "missing header line, which begins with \"class name\""};
        return std::move(m_stat);
    }

private:
    /// Section of the file that the parser is in. The line of a lock class is followed by two lists of contention points: points at which
    /// threads waited, and points at which owners acquired the lock.
    enum class Place { Outside, Class, Waits, Holds };

    void take(std::string_view line)
    {
        if (line.empty() || line.find_first_not_of('.') == std::string_view::npos) {
            if (!line.empty())
                m_place = Place::Outside;
            return;
        }
        if (line.find_first_not_of('-') == std::string_view::npos)
            return takeRule();
        if (line.size() > LongestLine)
            return complain("the line is longer than any line of /proc/lock_stat");
        if (line.starts_with("class name"))
            return takeHeader(line.substr(10));
        if (line.starts_with('*'))
            return complain("the kernel says: " + std::string(line));
        if (line.find("[<") != std::string_view::npos && m_place >= Place::Waits)
            return takePoint(line);
        takeClass(line);
    }

    void takeRule()
    {
        if (m_place == Place::Class)
            m_place = Place::Waits;
        else if (m_place == Place::Waits)
            m_place = Place::Holds;
    }

    void takeHeader(std::string_view line)
    {
        m_columns.clear();
        while (!line.empty()) {
            const std::string_view name = takeLastWord(line);
            const auto* const known = std::ranges::find(Columns, name, &Column::name);
            if (known == std::end(Columns))
                complain("unknown column: " + std::string(name));
            m_columns.push_back(known == std::end(Columns) ? nullptr : known);
        }
    }

    /// Parses the line of a class: "NAME:" and the numbers of all columns. A name may contain blanks and colons.
    void takeClass(std::string_view line)
    {
        if (m_columns.empty())
            return complain("the line precedes the header line");
        // Enter the section even if the class line is damaged, so that the lines of its points are not parsed as classes.
        m_place = Place::Class;
        LockStatClass found;
        for (const Column* const column : m_columns) {
            const std::string_view word = takeLastWord(line);
            const auto number = !column || column->isTime ? nanosecondsIn(word) : wholeNumber(word);
            if (column && !number)
                return complain("not a class line: \"" + std::string(word) + "\" is not a "
                                + (column->isTime ? "time in µs with two decimals, in column " : "number, in column ")
                                + std::string(column->name));
            if (column)
                column->put(found, *number);
        }
        if (!line.ends_with(':') || line.size() < 2)
            return complain("not a class line: no name with a colon before its numbers");
        if (m_stat.classes.size() >= LockStat::MostClasses)
            return complain("too many classes: the line is skipped");
        found.name = line.substr(0, line.size() - 1);
        m_stat.classes.push_back(std::move(found));
    }

    /// Parses the line of a contention point, i.e. of code that waited for the lock or held it: "NAME COUNT [<ADDRESS>] SYMBOL".
    void takePoint(std::string_view line)
    {
        const std::size_t open = line.rfind("[<"), close = line.find(">]", open);
        std::string_view before = line.substr(0, open);
        const auto count = wholeNumber(takeLastWord(before));
        if (close == std::string_view::npos || !count || before.empty())
            return complain("not a contention point: expected NAME COUNT [<ADDRESS>] SYMBOL");
        const std::string_view address = line.substr(open + 2, close - open - 2);
        const bool isBare = !address.empty() && address.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
        if (m_stat.points.size() >= LockStat::MostPoints)
            return complain("too many contention points: the line is skipped");
        m_stat.points.push_back({std::string(before), m_place == Place::Holds, *count, (isBare ? "0x" : "") + std::string(address),
                                 std::string(trimmed(line.substr(close + 2))), m_stat.classes.size()});
    }

    void complain(std::string what)
    {
        if (m_stat.problems.size() < LockStat::MostProblems)
            m_stat.problems.push_back({m_line, std::move(what)});
    }

    LockStat m_stat;
    std::vector<const Column*> m_columns; ///< Columns of the file, from right to left; nullptr for an unknown column.
    Place m_place = Place::Outside;
    std::size_t m_line = 1;
};

/// True if `name` is the name of the row's lock: for a kernel lock such as "0xffff888100044880 mutex", the first word of the label; a
/// lock of a process has more words.
bool isCalled(const Row& row, std::string_view name)
{
    const std::string_view label = row.label;
    return row.ref.isValid() && row.kind == "lock" && row.pid < 0 && label.starts_with(name)
        && (label.size() == name.size() || label[name.size()] == ' ');
}

} // namespace

bool isLockStat(std::string_view text) { return text.starts_with(Begin); }

std::string_view lockNameOf(std::string_view className)
{
    return className.ends_with("-W") || className.ends_with("-R") ? className.substr(0, className.size() - 2) : className;
}

std::optional<Duration> meanOf(const LockStatTimes& times, std::int64_t count)
{
    return times.mean ? times.mean : count > 0 ? std::optional(times.total / count) : std::nullopt;
}

bool isOf(const LockStatPoint& point, const LockStat& stat, std::size_t classPlace)
{
    const std::string_view name = stat.classes[classPlace].name;
    if (point.name != name && point.name != lockNameOf(name))
        return false;
    if (point.after == classPlace + 1)
        return true;
    if (point.after != classPlace + 2 || !name.ends_with("-W"))
        return false;
    const std::string_view next = stat.classes[classPlace + 1].name;
    return next.ends_with("-R") && lockNameOf(next) == lockNameOf(name);
}

LockStatSum sumOf(std::span<const LockStatClass* const> classes)
{
    WideSum contentions, waited, acquisitions, held;
    for (const LockStatClass* it : classes) {
        contentions.add(static_cast<std::uint64_t>(it->contentions));
        waited.add(static_cast<std::uint64_t>(it->waits.total.count()));
        acquisitions.add(static_cast<std::uint64_t>(it->acquisitions));
        held.add(static_cast<std::uint64_t>(it->holds.total.count()));
    }
    return {contentions.value(), Duration(waited.value()), acquisitions.value(), Duration(held.value())};
}

Result<LockStat> parseLockStat(std::string_view text)
{
    if (!isLockStat(text))
        return Error{Error::Kind::Unsupported, "not a lock_stat text: it does not begin with \"lock_stat version\""};
    return Parser().parse(text);
}

Result<LockStat> readLockStat(const std::filesystem::path& path)
{
    constexpr std::size_t Most = std::size_t(256) << 20;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return Error{Error::Kind::Unreadable, path.string() + ": is a folder"};
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{Error::Kind::NotFound, path.string() + ": cannot be opened"};
    std::string text;
    std::array<char, 1 << 16> part{};
    while (file.read(part.data(), part.size()) || file.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > Most || !isLockStat(std::string_view(text).substr(0, Begin.size())))
            break;
    }
    if (text.size() > Most)
        return Error{Error::Kind::Unsupported, path.string() + ": is larger than 256 MiB"};
    auto stat = parseLockStat(text);
    if (!stat)
        return Error{stat.error().kind, path.string() + ": " + stat.error().what};
    return stat;
}

TrackRef findLockRow(const Timeline& timeline, std::string_view className)
{
    const std::string_view name = lockNameOf(className);
    const auto all = rows(timeline, "locks");
    const auto found = std::ranges::find_if(all, [&](const Row& it) { return !name.empty() && isCalled(it, name); });
    return found == all.end() ? TrackRef() : found->ref;
}

} // namespace helio
