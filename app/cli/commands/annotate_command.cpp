#include "app/cli/command.h"
#include "app/cli/selection/sample_selection.h"
#include "app/cli/selection/table_options.h"
#include "core/compare/code_difference.h"
#include "core/profiling/samples/amount_text.h"
#include "core/profiling/samples/annotation.h"
#include "core/profiling/samples/function_table.h"
#include "core/profiling/samples/source_text.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace helio {
namespace {

struct AnnotateOptions {
    TableOptions table{"annotate"};
    SampleOptions samples;
    std::string symbol; ///< Argument of --symbol: name or address of the function.
    SourcePaths sources;

    void addTo(OptionList& options)
    {
        table.addTo(options, SampleFilterHelp);
        samples.addInliningTo(options);
        options.value("--symbol", symbol, "NAME", "Function: name, name(types), linkage name, name@module or 0xADDRESS");
        samples.addWeightTo(options);
        samples.addEventTo(options, "Use samples of this event, for example cpu-clock");
        options.repeated("--source-dir", sources.directories, "DIR", "Also search DIR for source files");
        table.format.addTo(options);
    }
    std::string missing() const { return table.traces.empty() ? table.missing() : symbol.empty() ? "--symbol NAME is missing" : ""; }
    Status read()
    {
        return table.read([this] { return samples.read(); });
    }
};

/// Returns the start address of a function in the form that perf annotate and objdump print.
std::uint64_t shownAddressOf(const SampledFunction& function, const Timeline& timeline)
{
    const Module* module = moduleAt(timeline, function.store, function.moduleId);
    return module && timeline.symbolizer ? timeline.symbolizer->fileAddressOf(*module, function.address) : function.address;
}

/// Parses an address such as "0x1149"; nullopt if the text is no address.
std::optional<std::uint64_t> addressFrom(std::string_view text)
{
    std::uint64_t address = 0;
    if (!text.starts_with("0x"))
        return {};
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), address, 16);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(address) : std::nullopt;
}

/// Returns the functions that match `symbol`, the largest total first: by name in all modules, by "NAME@MODULE", or by start address.
std::vector<FunctionRow> matchingFunctions(const FunctionTable& table, const Timeline& timeline, const std::string& symbol)
{
    const auto address = addressFrom(symbol);
    const std::size_t at = symbol.rfind('@');
    const std::string_view name = std::string_view(symbol).substr(0, at);
    const std::string_view module = at == std::string::npos ? std::string_view() : std::string_view(symbol).substr(at + 1);
    std::vector<FunctionRow> rows;
    for (const FunctionRow& row : table.rows) {
        const SampledFunction& function = table.functions[static_cast<std::size_t>(row.function)];
        const bool isThere = !function.isInlined && address && shownAddressOf(function, timeline) == *address;
        const bool isInModule = !module.empty() && function.module == module && function.isCalled(name);
        if (function.code != CodeKind::Thread && (isThere || isInModule || function.isCalled(symbol)))
            rows.push_back(row);
    }
    return rows;
}

/// Returns functions with a similar name, at most ten, the most frequent first: functions named `name` without template arguments and
/// parameters, or with `name` as their last name component.
std::vector<FunctionRow> similarFunctions(const FunctionTable& table, const std::string& name)
{
    constexpr std::size_t Most = 10;
    std::vector<FunctionRow> rows;
    for (const FunctionRow& row : table.rows) {
        const SampledFunction& function = table.functions[static_cast<std::size_t>(row.function)];
        const std::string plain = simplifyFunctionName(function.name);
        if (function.code != CodeKind::Thread && rows.size() < Most && !name.empty() && (plain == name || plain.ends_with("::" + name)))
            rows.push_back(row);
    }
    return rows;
}

/// Returns the possible values of `--symbol` for the functions in `rows`, one per line.
std::string listOf(const std::vector<FunctionRow>& rows, const FunctionTable& table, const Timeline& timeline, const StackProfile& profile,
                   WeightBy by)
{
    std::string list;
    for (const FunctionRow& row : rows) {
        const SampledFunction& function = table.functions[static_cast<std::size_t>(row.function)];
        const auto isNamesake = [&](const FunctionRow& other) {
            return other.function != row.function && table.functions[static_cast<std::size_t>(other.function)].label() == function.label();
        };
        const std::string name = std::ranges::any_of(rows, isNamesake) ? function.label() + '@' + function.module : function.label();
        const std::string where = function.isInlined ? "inlined" : fmt::format("0x{:x}", shownAddressOf(function, timeline));
        list += fmt::format("\n  {} ({}, {}): {}, with callees {}", name, function.module, where, headingWords(row.self, by, profile.kind),
                            headingWords(row.total, by, profile.kind));
    }
    return list;
}

/// Finds the function that --symbol names.
Result<SampledFunction> findFunction(const StackProfile& profile, const StackNames& names, const Timeline& timeline,
                                     const std::string& symbol, WeightBy by)
{
    FunctionTableOptions options;
    options.byComm = options.byModule = false;
    options.by = by;
    options.byTotal = true;
    const FunctionTable table = buildFunctionTable(profile, names, options);
    const std::vector<FunctionRow> rows = matchingFunctions(table, timeline, symbol);
    const std::vector<FunctionRow> similar = rows.empty() ? similarFunctions(table, symbol) : std::vector<FunctionRow>();
    if (!similar.empty())
        return Error{Error::Kind::Usage,
                     fmt::format("--symbol: no function is named \"{}\"; there {}:{}", symbol, similar.size() == 1 ? "is" : "are",
                                 listOf(similar, table, timeline, profile, by))};
    if (rows.empty())
        return Error{Error::Kind::Usage,
                     fmt::format("--symbol: no samples in \"{}\"; heliograph flame --table lists the functions", symbol)};
    if (rows.size() > 1)
        return Error{Error::Kind::Usage,
                     fmt::format("--symbol: \"{}\" is ambiguous; use one of these names or addresses:{}", symbol,
                                 listOf(rows, table, timeline, profile, by))};
    return table.functions[static_cast<std::size_t>(rows.front().function)];
}

std::string percent(const SampleSum& sum, const SampleSum& whole, WeightBy by)
{
    return fmt::format("{:.2f}", amount(whole, by) ? 100.0 * double(amount(sum, by)) / double(amount(whole, by)) : 0.0);
}

/// Replaces each tab by spaces up to the next multiple of 8 columns.
std::string withoutTabs(const std::string& text)
{
    constexpr std::size_t Columns = 8;
    std::string wide;
    std::size_t column = 0; // Column in characters, not bytes.
    for (const char c : text) {
        const std::size_t blanks = c == '\t' ? Columns - column % Columns : 0;
        wide.append(blanks, ' ');
        if (c != '\t')
            wide += c;
        column += blanks + (c != '\t' && (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0);
    }
    return wide;
}

/// Writes the rows of the table: source lines and instructions.
class AnnotationWriter {
public:
    AnnotationWriter(const Annotation& annotation, const SourcePaths& paths, WeightBy by, bool isText, TableWriter& table)
        : m_annotation(annotation)
        , m_by(by)
        , m_isText(isText)
        , m_table(table)
    {
        for (const std::string& file : annotation.files)
            m_sources.push_back(readSource(file, paths));
    }

    void write()
    {
        if (!m_isText)
            for (std::size_t i = 0; i < m_annotation.lines.size(); ++i)
                writeLine(i, true);
        std::uint32_t line = Annotation::NoLine;
        std::uint32_t file = NoFile;
        std::vector<bool> isWritten(m_annotation.lines.size());
        for (std::size_t i = 0; i < m_annotation.addresses.size(); ++i) {
            if (m_isText)
                for (const InlinedCopy& copy : m_annotation.copies)
                    if (copy.first == i)
                        m_table.row({"", "", "", "", copy.into.empty() ? "own code:" : "inlined into " + copy.into + ':'});
            if (m_isText && m_annotation.lineOf[i] != line && m_annotation.lineOf[i] != Annotation::NoLine) {
                const AnnotatedLine& next = m_annotation.lines[m_annotation.lineOf[i]];
                // Print the name of the source file if it differs from the previous line's file, as at inlined code.
                if (std::exchange(file, next.file) != next.file)
                    m_table.row({"", "", "", "", m_annotation.files[next.file] + ':'});
                std::vector<bool>::reference wasWritten = isWritten[m_annotation.lineOf[i]];
                // Print the sum of a source line only once, even if its code is at several addresses.
                writeLine(m_annotation.lineOf[i], !wasWritten);
                wasWritten = true;
            }
            line = m_annotation.lineOf[i];
            writeAddress(i);
        }
        writeUnplacedLines(isWritten);
    }

    const std::vector<SourceText>& sources() const { return m_sources; }

private:
    static constexpr std::uint32_t NoFile = ~0u;

    void writeRow(const char* kind, const CodeSums& sums, const Cell& file, const Cell& line, const std::string& address,
                  const std::string& text)
    {
        const auto count = [](std::uint64_t number) { return Cell::integer(static_cast<std::int64_t>(number)); };
        const std::string self = percent(sums.self, m_annotation.taken, m_by);
        const std::string total = percent(sums.total, m_annotation.sums.total, m_by);
        if (m_isText)
            return m_table.row({self, total, line, address, text});
        m_table.row({kind, file, line, address, count(sums.self.samples), count(sums.total.samples), self, total, text,
                     count(sums.self.weight), count(sums.total.weight)});
    }

    /// Writes the source lines that have samples but belong to none of the printed addresses: some recordings name source lines themselves,
    /// without addresses. Only for text output.
    void writeUnplacedLines(const std::vector<bool>& isWritten)
    {
        std::uint32_t file = NoFile;
        for (std::size_t i = 0; m_isText && i < m_annotation.lines.size(); ++i) {
            const AnnotatedLine& it = m_annotation.lines[i];
            if (isWritten[i] || it.sums.total.samples == 0)
                continue;
            if (std::exchange(file, it.file) != it.file)
                m_table.row({"", "", "", "", m_annotation.files[it.file] + ':'});
            writeLine(i, true);
        }
    }

    void writeLine(std::size_t index, bool hasShares)
    {
        const AnnotatedLine& it = m_annotation.lines[index];
        const SourceText& source = m_sources[it.file];
        const std::string text = it.line <= source.lines.size() ? source.lines[it.line - 1] : std::string();
        if (!hasShares)
            return m_table.row({"", "", Cell::integer(it.line), "", withoutTabs(text)});
        writeRow("line", it.sums, m_annotation.files[it.file], Cell::integer(it.line), {}, m_isText ? withoutTabs(text) : text);
    }

    void writeAddress(std::size_t index)
    {
        const AnnotatedAddress& it = m_annotation.addresses[index];
        const FunctionCode& code = m_annotation.code;
        const bool hasCode = index < code.instructions.size();
        const std::uint64_t shown = hasCode ? it.address - code.symbol.begin + code.fileAddress : it.address;
        const std::uint32_t line = m_annotation.lineOf[index];
        const bool hasLine = !m_isText && line != Annotation::NoLine;
        writeRow("instruction", it.sums, hasLine ? Cell(m_annotation.files[m_annotation.lines[line].file]) : Cell(),
                 hasLine ? Cell::integer(m_annotation.lines[line].line) : Cell(), fmt::format("{:x}", shown),
                 hasCode ? (m_isText ? "    " : "") + code.instructions[index].text : std::string());
    }

    const Annotation& m_annotation;
    WeightBy m_by;
    bool m_isText;
    TableWriter& m_table;
    std::vector<SourceText> m_sources;
};

/// Prints which source files are missing and in which folders they were searched.
void reportMissing(const Annotation& annotation, const std::vector<SourceText>& sources)
{
    for (const SourceText& source : sources)
        if (source.file.empty()) {
            std::string looked;
            for (const auto& place : source.looked)
                (looked += looked.empty() ? "" : ", ") += place.string();
            warn(fmt::format("{}: not found; searched {}; add a folder of sources with --source-dir", source.recorded, looked));
        }
    if (!annotation.hasAddresses)
        warn("calls were recorded by function only: the time of lines and instructions is unknown");
    if (!annotation.code.noCodeReason.empty())
        warn("no instructions: " + annotation.code.noCodeReason);
    if (!annotation.code.noLinesReason.empty())
        warn("no source lines: " + annotation.code.noLinesReason);
}

int run(const AnnotateOptions& options)
{
    const auto samples = selectSamples(options.table.traces, options.table.reading, options.table.selection, options.samples);
    if (!samples)
        return failWith(samples.error());
    const auto& [opened, profile, names, kinds] = *samples;
    const WeightBy by = options.samples.weightOf(profile.kind);
    const auto function = findFunction(profile, names, *opened.timeline, options.symbol, by);
    if (!function)
        return failWith(function.error());
    const Annotation annotation = annotate(profile, names, *opened.timeline, *function);
    Output output;
    const bool isText = options.table.format.output == OutputFormat::Text;
    if (isText) {
        const std::string inlined = annotation.taken == annotation.sums.self
            ? std::string()
            : fmt::format("; with inlined code {} %", percent(annotation.taken, annotation.whole, by));
        output.buffer() +=
            fmt::format("{} in {}: {}, {} % of {}{}; with callees {} %\n", function->label(), function->module,
                        headingWords(annotation.sums.self, by, profile.kind), percent(annotation.sums.self, annotation.whole, by),
                        headingWords(annotation.whole, by, profile.kind), inlined, percent(annotation.sums.total, annotation.whole, by));
    }
    {
        std::vector<std::string> columns{"self %", "total %", "line", "address", "text"};
        if (!isText)
            columns = {"kind",         "file",          "line", "address",     "self_samples", "total_samples",
                       "self_percent", "total_percent", "text", "self_weight", "total_weight"};
        TableWriter table(output, options.table.format.output, std::move(columns), TimeStyle());
        AnnotationWriter writer(annotation, options.sources, by, isText, table);
        writer.write();
        if (!options.table.reading.isQuiet)
            reportMissing(annotation, writer.sources());
    }
    output.flush();
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : opened.hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command annotateCommand;
const Command annotateCommand{100,
                              "annotate",
                              "Print source lines and instructions of a function with their samples",
                              callOf<AnnotateOptions, run>,
                              R"(heliograph annotate perf.data --symbol main
heliograph annotate perf.data --symbol 'app::Sum::add(int)' --source-dir ~/src/app
)",
                              R"(Weights of --by: samples, period; for calls wall, self-wall, cpu, calls (heliograph help flame).
)"};

} // namespace helio
