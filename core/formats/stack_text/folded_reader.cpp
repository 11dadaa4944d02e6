#include "core/formats/stack_text/folded_reader.h"

#include "core/base/line_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace helio::stacktext {
namespace {

using namespace text;

constexpr std::size_t LongestFoldedLine = std::size_t{64} << 20;
constexpr std::size_t MostFoldedFrames = std::size_t{1} << 20; // Maximum number of frames of one stack.
constexpr unsigned MostDecimals = 9;
constexpr std::uint64_t FoldedStopStep = 1024; // Number of lines between two checks of `stop`.

/// A number at the end of a line, for example "12.5", as its whole part and its decimals.
struct Count {
    std::uint64_t whole = 0;
    std::string_view decimals; ///< Digits after the point, without trailing zeros.
    bool isTooLarge = false;
};

/// Parses a number such as "12", "12.5" or "12."; nullopt if the word is not a number.
std::optional<Count> countOf(std::string_view word)
{
    Count count;
    const char* const end = word.data() + word.size();
    const auto whole = std::from_chars(word.data(), end, count.whole);
    if (whole.ptr == word.data())
        return {};
    count.isTooLarge = whole.ec != std::errc() || count.whole > LargestCount;
    if (whole.ptr == end)
        return count;
    std::string_view decimals(whole.ptr + 1, static_cast<std::size_t>(end - whole.ptr - 1));
    if (*whole.ptr != '.' || !std::ranges::all_of(decimals, isDigit))
        return {};
    count.decimals = decimals.substr(0, decimals.find_last_not_of('0') + 1);
    return count;
}

/// Removes a number and the blanks before it from the end of the line; nullopt if the line does not end with a number.
std::optional<Count> takeCount(std::string_view& line)
{
    const std::string_view text = trimmed(line);
    const std::size_t blank = text.find_last_of(" \t");
    if (blank == std::string_view::npos)
        return {};
    const auto count = countOf(text.substr(blank + 1));
    if (count)
        line = trimmed(text.substr(0, blank));
    return count;
}

/// Returns a count as a multiple of 10^-decimals, rounded; UINT64_MAX if it is too large.
std::uint64_t countIn(const Count& count, unsigned decimals)
{
    std::uint64_t value = count.whole;
    for (unsigned i = 0; i < decimals; ++i)
        if (__builtin_mul_overflow(value, 10, &value)
            || __builtin_add_overflow(value, i < count.decimals.size() ? count.decimals[i] - '0' : 0, &value))
            return UINT64_MAX;
    return value + (decimals < count.decimals.size() && count.decimals[decimals] >= '5' ? 1 : 0);
}

/// True for comments such as "# note", "#note" or "// note". False for stacks that begin in the same way: "#worker;main 12", "//anon;f 3".
bool isFoldedComment(std::string_view line)
{
    for (const std::string_view mark : {std::string_view{"#"}, std::string_view{"//"}})
        if (line.starts_with(mark) && (line.size() == mark.size() || isBlank(line[mark.size()])))
            return true;
    return line.starts_with('#') && !takeCount(line);
}

/// Parses a frame with an annotation by stackcollapse, for example "schedule_[k]".
bool parseFoldedFrame(std::string_view text, ParsedFrame& frame, Module::Kind& kind)
{
    if (text.ends_with("_[k]")) {
        kind = Module::Kind::Kernel;
        frame.module = "[kernel]";
    } else if (text.ends_with("_[j]")) {
        kind = Module::Kind::Anonymous;
        frame.module = "[compiled]";
    }
    frame.isInlined = text.ends_with("_[i]");
    if (frame.isInlined || !frame.module.empty())
        text.remove_suffix(4);
    if (text != "[unknown]")
        frame.function = text;
    return true;
}

class FoldedReader {
public:
    FoldedReader(std::string_view text, int columns, SampleRecording& recording)
        : m_lines(text)
        , m_columns(columns)
        , m_recording(recording)
    {
        m_recording.hasTimes = false;
    }

    Status run(const std::stop_token& stop)
    {
        chooseDivisor(stop);
        std::string_view line;
        while (m_lines.next(line)) {
            if (m_lines.number() % FoldedStopStep == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            if (!trimmed(line).empty() && !isFoldedComment(line))
                take(line);
        }
        if (!trimmed(line).empty() && !m_lines.hasEnd())
            report("cut-text", "the text ends within a line; its count may be truncated", Diagnostic::Severity::Info);
        return Done{};
    }

private:
    /// Sets the number of decimals with which counts are stored as integers (`divisor` is the matching power of ten): as many as the counts
    /// have, but so few that the sum of all counts does not overflow.
    void chooseDivisor(const std::stop_token& stop)
    {
        std::uint64_t sum = 0;
        std::string_view line;
        for (LineReader lines = m_lines; lines.next(line);) {
            if (lines.number() % FoldedStopStep == 0 && stop.stop_requested())
                return;
            for (int i = 0; i < m_columns; ++i)
                if (const auto count = isFoldedComment(line) ? std::nullopt : takeCount(line); count && !count->isTooLarge) {
                    m_decimals = std::max(m_decimals, static_cast<unsigned>(std::min<std::size_t>(count->decimals.size(), MostDecimals)));
                    sum += std::min(count->whole + 1, LargestSum - sum);
                }
        }
        const auto divisor = [this] {
            std::uint64_t product = 1;
            for (unsigned i = 0; i < m_decimals; ++i)
                product *= 10;
            return product;
        };
        while (m_decimals > 0 && sum > LargestCount / divisor())
            --m_decimals;
        m_recording.divisor = divisor();
    }

    void report(const char* kind, const std::string& what, Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        m_recording.events.report(kind, m_lines.number(), m_lines.offset(), what, severity);
    }

    void take(std::string_view line)
    {
        if (line.size() > LongestFoldedLine)
            return report("long-line", "longer than 64 megabytes; skipped");
        std::array<Count, 2> counts{};
        for (int i = m_columns; i-- > 0;) {
            const auto count = takeCount(line);
            if (!count)
                return report("bad-line", m_columns == 2 ? "no two counts at the end; skipped" : "no count at the end; skipped");
            counts[static_cast<std::size_t>(i)] = *count;
        }
        if (line.find('\0') != std::string_view::npos)
            return report("binary", "contains NUL bytes; skipped");
        const std::uint32_t stack = stackOf(line);
        for (int i = 0; i < m_columns; ++i)
            add(i, stack, counts[static_cast<std::size_t>(i)]);
    }

    /// Returns the stack of a line "a;b;c", in which the first frame is the outermost.
    std::uint32_t stackOf(std::string_view line)
    {
        std::uint32_t stack = 0;
        bool isCut = false;
        std::size_t depth = 0;
        for (std::size_t begin = 0; begin <= line.size(); ++depth) {
            const std::size_t end = std::min(line.find(';', begin), line.size());
            if (depth == MostFoldedFrames) {
                report("deep-stack", "a stack has more than a million frames; the innermost are missing");
                break;
            }
            if (const std::int64_t frame = m_recording.stacks.findOrAddFrame(line.substr(begin, end - begin), parseFoldedFrame); frame >= 0)
                stack = m_recording.stacks.call(stack, static_cast<std::uint32_t>(frame), isCut);
            begin = end + 1;
        }
        if (isCut)
            report("many-stacks", "too many different stacks; some frames are missing");
        return stack;
    }

    void add(int column, std::uint32_t stack, const Count& count)
    {
        std::uint64_t& sum = m_sums[static_cast<std::size_t>(column)];
        const std::uint64_t value = countIn(count, m_decimals);
        if (count.isTooLarge || value > LargestSum - sum)
            return report("large-count", "the count is too large; skipped");
        if (count.decimals.size() > m_decimals)
            report("rounded", "the count has too many decimals; rounded", Diagnostic::Severity::Info);
        if (value == 0)
            return;
        sum += value;
        NewSample event;
        event.name = m_columns == 1 ? "samples" : column == 0 ? "first" : "second";
        event.period = value;
        event.hasPeriod = true;
        event.isCounted = true;
        event.stack = stack;
        m_recording.add(event, {});
    }

    LineReader m_lines;
    int m_columns;
    SampleRecording& m_recording;
    unsigned m_decimals = 0;
    std::array<std::uint64_t, 2> m_sums{};
};

} // namespace

int countFoldedColumns(std::string_view begin, bool isWhole, bool isNamedFolded)
{
    LineReader lines(begin);
    std::string_view line;
    int columns = 0;
    bool hasCalls = false;
    int looked = 0;
    int bad = 0;
    while (looked < 200 && lines.next(line)) {
        if ((!lines.hasEnd() && !isWhole && looked > 0) || line.find('\0') != std::string_view::npos)
            break;
        if (trimmed(line).empty() || isFoldedComment(line))
            continue;
        ++looked;
        hasCalls |= line.find(';') != std::string_view::npos;
        if (!lines.hasEnd() && !isWhole)
            // The first line is longer than `begin`, so the count at its end is unknown. Assume one count for each line.
            return hasCalls && line.find('\0') == std::string_view::npos ? 1 : 0;
        if (!takeCount(line)) {
            ++bad;
            continue;
        }
        const int here = takeCount(line) ? 2 : 1;
        columns = columns == 0 ? here : std::min(columns, here);
    }
    return (hasCalls || isNamedFolded) && 3 * bad <= looked ? columns : 0; // Up to a third of the lines may be damaged.
}

Status readFolded(std::string_view text, int columns, SampleRecording& recording, std::stop_token stop)
{
    return FoldedReader(text, columns, recording).run(stop);
}

} // namespace helio::stacktext
