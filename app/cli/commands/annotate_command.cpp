#include "app/cli/command.h"
#include "app/cli/selection/sample_selection.h"
#include "app/cli/selection/table_options.h"
#include "core/query/samples/amount_text.h"
#include "core/query/samples/annotation.h"
#include "core/query/samples/source_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace helio {
namespace {

struct AnnotateOptions {
    TableOptions table{"annotate"};
    SampleOptions samples;
    std::string symbol; ///< The function's name.
    SourcePaths sources;

    void addTo(OptionList& options)
    {
        table.addTo(options, SampleFilterHelp);
        samples.addInliningTo(options);
        options.value("--symbol", symbol, "NAME", "The function");
        samples.addWeightTo(options);
        samples.addEventTo(options, "Samples of this event, as cpu-clock");
        options.repeated("--source-dir", sources.directories, "DIR", "A folder to look for sources in, too");
        table.format.addTo(options);
    }
    std::string missing() const { return table.traces.empty() ? table.missing() : symbol.empty() ? "--symbol NAME is missing" : ""; }
    Status read()
    {
        return table.read([this] { return samples.read(); });
    }
};

/// The function meant: of those so named, the one with most samples, or most weight.
Result<SampledFunction> findFunction(const StackProfile& profile, const StackNames& names, const std::string& symbol, WeightBy by)
{
    std::vector<double> amounts(names.functions.size()); // A recursive function counts more often: sums of integers might overflow.
    for (const CollectedStack& stack : profile.stacks)
        for (std::uint32_t node = stack.node; node != 0; node = profile.nodes[node].parent)
            for (const NamedFrame& frame : names.framesOf(node))
                amounts[static_cast<std::size_t>(frame.function)] += double(amount(sumOf(stack), by));
    std::size_t best = names.functions.size();
    for (std::size_t i = 0; i < names.functions.size(); ++i)
        if (names.functions[i].name == symbol && (best == names.functions.size() || amounts[i] > amounts[best]))
            best = i;
    if (best == names.functions.size())
        return Error{Error::Kind::Usage,
                     fmt::format("--symbol: no sample is in \"{}\"; heliograph flame --table lists the functions", symbol)};
    return names.functions[best];
}

std::string percent(const SampleSum& sum, const SampleSum& whole, WeightBy by)
{
    return fmt::format("{:.2f}", amount(whole, by) ? 100.0 * double(amount(sum, by)) / double(amount(whole, by)) : 0.0);
}

/// As an editor shows it.
std::string withoutTabs(const std::string& text)
{
    constexpr std::size_t Columns = 8;
    std::string wide;
    std::size_t column = 0; // Of characters, not of bytes.
    for (const char c : text) {
        const std::size_t blanks = c == '\t' ? Columns - column % Columns : 0;
        wide.append(blanks, ' ');
        if (c != '\t')
            wide += c;
        column += blanks + (c != '\t' && (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0);
    }
    return wide;
}

/// Rows of the table: lines and instructions.
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
            if (m_isText && m_annotation.lineOf[i] != line && m_annotation.lineOf[i] != Annotation::NoLine) {
                const AnnotatedLine& next = m_annotation.lines[m_annotation.lineOf[i]];
                if (std::exchange(file, next.file) != next.file) // Of inlined code, another.
                    m_table.row({"", "", "", "", m_annotation.files[next.file] + ':'});
                std::vector<bool>::reference wasWritten = isWritten[m_annotation.lineOf[i]];
                writeLine(m_annotation.lineOf[i], !wasWritten); // Its sum stands once, wherever its code is.
                wasWritten = true;
            }
            line = m_annotation.lineOf[i];
            writeAddress(i);
        }
    }

    const std::vector<SourceText>& sources() const { return m_sources; }

private:
    static constexpr std::uint32_t NoFile = ~0u;

    void writeRow(const char* kind, const CodeSums& sums, const Cell& file, const Cell& line, const std::string& address,
                  const std::string& text)
    {
        const auto count = [](std::uint64_t number) { return Cell::integer(static_cast<std::int64_t>(number)); };
        const std::string self = percent(sums.self, m_annotation.sums.self, m_by);
        const std::string total = percent(sums.total, m_annotation.sums.total, m_by);
        if (m_isText)
            return m_table.row({self, total, line, address, text});
        m_table.row({kind, file, line, address, count(sums.self.samples), count(sums.total.samples), self, total, text,
                     count(sums.self.weight), count(sums.total.weight)});
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

/// What is missing, and where it was looked for.
void reportMissing(const Annotation& annotation, const std::vector<SourceText>& sources)
{
    for (const SourceText& source : sources)
        if (source.file.empty()) {
            std::string looked;
            for (const auto& place : source.looked)
                (looked += looked.empty() ? "" : ", ") += place.string();
            complain(fmt::format("{}: not found; looked at {}; --source-dir names a folder of sources", source.recorded, looked));
        }
    if (!annotation.knowsPlaces)
        complain("calls were recorded with their functions alone: which lines and instructions their time went to is not known");
    if (!annotation.code.whyNoCode.empty())
        complain("no instructions: " + annotation.code.whyNoCode);
    if (!annotation.code.whyNoLines.empty())
        complain("no source lines: " + annotation.code.whyNoLines);
}

int run(const AnnotateOptions& options)
{
    const auto samples = selectSamples(options.table.traces, options.table.reading, options.table.selection, options.samples);
    if (!samples)
        return failWith(samples.error());
    const auto& [opened, profile, names, kinds] = *samples;
    const WeightBy by = options.samples.weightOf(profile.kind);
    const auto function = findFunction(profile, names, options.symbol, by);
    if (!function)
        return failWith(function.error());
    const Annotation annotation = annotate(profile, *opened.timeline, *function);
    Output output;
    const bool isText = options.table.format.output == OutputFormat::Text;
    if (isText)
        output.buffer() +=
            fmt::format("{} in {}: {}, {} % of {}; with callees {} %\n", function->name, function->module,
                        headingWords(annotation.sums.self, by, profile.kind), percent(annotation.sums.self, annotation.whole, by),
                        headingWords(annotation.whole, by, profile.kind), percent(annotation.sums.total, annotation.whole, by));
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
const Command annotateCommand{100, "annotate", "Source lines and instructions of a function with their share of its samples",
                              callOf<AnnotateOptions, run>};

} // namespace helio
