#include "widgets/code/source_rows.h"

#include <QFileInfo>

#include <algorithm>
#include <map>

namespace helio {

namespace {

constexpr std::size_t MostColoured = 20'000; ///< Maximum length of a file with colours, in lines.
/// Maximum length of a line with colours, in characters: longer lines are hardly written by hand, and slow to paint in parts.
constexpr int LongestColoured = 1000;
constexpr std::uint32_t Around = 3; ///< Number of lines shown above and below inlined code of another file.

CodeRow rowOf(const QString& label, const QString& text, const CodeSums& sums, const Annotation& annotation, ShareBasis choice)
{
    CodeRow row;
    row.label = label;
    row.text = text;
    row.share = shareOf(sums, annotation, choice);
    if (row.share > 0)
        row.shareText = QString::number(row.share * 100, 'f', 2) + QStringLiteral("\u00a0%");
    return row;
}

QString textOf(const SourceText& source, std::uint32_t line)
{
    if (line == 0 || line > source.lines.size())
        return {};
    const QString text = QString::fromStdString(source.lines[line - 1]);
    QString expanded;
    for (const QChar c : text) // Expands tabs; tab stops are at every eighth column.
        expanded += c == u'\t' ? QString(8 - expanded.size() % 8, u' ') : QString(c.isPrint() ? c : QChar(u'\ufffd'));
    return expanded;
}

/// Returns the numbers of the lines to show: all lines of the function's own file; the lines around annotated lines in another file; only
/// annotated lines if the file was not found.
std::vector<std::uint32_t> linesShown(std::uint32_t file, const SourceText& source, const std::map<std::uint32_t, int>& annotated)
{
    std::vector<std::uint32_t> shown;
    const auto count = static_cast<std::uint32_t>(source.lines.size());
    if (count == 0) {
        for (const auto& [line, index] : annotated)
            shown.push_back(line);
    } else if (file == 0) {
        for (std::uint32_t line = 1; line <= count; ++line)
            shown.push_back(line);
    } else {
        for (const auto& [line, index] : annotated)
            for (std::uint32_t near = line > Around ? line - Around : 1; near <= std::min(count, line + Around); ++near)
                if (shown.empty() || near > shown.back())
                    shown.push_back(near);
    }
    return shown;
}

CodeRow headingOf(const QString& text)
{
    CodeRow heading;
    heading.text = text;
    heading.isHeading = true;
    return heading;
}

/// Explains why only line numbers are shown, and how to get the source.
QString whyBare(const SourceText& source)
{
    const QString why = source.problem.empty() ? CodePane::tr("The source file is empty.") : QString::fromStdString(source.problem);
    return CodePane::tr("%1 Double-click to locate it.").arg(why);
}

/// Returns the coloured ranges of a file; empty if the language is unknown, or if the file is too long to be read without a delay.
FileTokens tokenizeSources(const SourceText& source, const std::string& file)
{
    FileTokens colours;
    const CodeLanguage* language = languageOf(QFileInfo(QString::fromStdString(file)).fileName());
    if (!language || source.lines.size() > MostColoured)
        return colours;
    CodeTokenizer reader(*language);
    for (std::uint32_t line = 1; line <= source.lines.size(); ++line) {
        const QString text = textOf(source, line);
        colours.push_back(reader.read(text)); // Long lines are read although they get no colours, because a comment may begin in them.
        if (text.size() > LongestColoured)
            colours.back().clear();
    }
    return colours;
}

} // namespace

double shareOf(const CodeSums& sums, const Annotation& annotation, ShareBasis choice)
{
    const std::uint64_t part = amount(choice.withCallees ? sums.total : sums.self, choice.by);
    const std::uint64_t whole = amount(choice.withCallees ? annotation.sums.total : annotation.taken, choice.by);
    return whole == 0 ? 0 : double(part) / double(whole);
}

std::vector<FileTokens> tokenizeSources(const std::vector<SourceText>& sources, const std::vector<std::string>& files)
{
    std::vector<FileTokens> colours;
    for (std::size_t file = 0; file < files.size() && file < sources.size(); ++file)
        colours.push_back(tokenizeSources(sources[file], files[file]));
    return colours;
}

std::vector<CodeRow> sourceRows(const Annotation& annotation, const std::vector<SourceText>& sources,
                                const std::vector<FileTokens>& colours, ShareBasis choice)
{
    std::vector<CodeRow> rows;
    for (std::uint32_t file = 0; file < annotation.files.size() && file < sources.size(); ++file) {
        std::map<std::uint32_t, int> annotated; // Index into annotation.lines, by line number.
        for (std::size_t i = 0; i < annotation.lines.size(); ++i)
            if (annotation.lines[i].file == file)
                annotated.emplace(annotation.lines[i].line, int(i));
        if (file > 0 && annotated.empty())
            continue;
        if (annotation.files.size() > 1 || sources[file].lines.empty())
            rows.push_back(headingOf(QFileInfo(QString::fromStdString(annotation.files[file])).fileName()));
        if (sources[file].lines.empty()) {
            rows.push_back(headingOf(whyBare(sources[file])));
            // A double-click on the heading opens the file. CodeRow::link of the file's first annotated line identifies the file.
            rows.back().link = annotated.empty() ? CodeRow::NoLink : annotated.begin()->second;
            if (!annotated.empty())
                rows.push_back(headingOf(CodePane::tr("Known lines of the file:")));
        }
        for (const std::uint32_t line : linesShown(file, sources[file], annotated)) {
            const auto place = annotated.find(line);
            const AnnotatedLine none{};
            const AnnotatedLine& it = place == annotated.end() ? none : annotation.lines[std::size_t(place->second)];
            CodeRow row = rowOf(QString::number(line), textOf(sources[file], line), it.sums, annotation, choice);
            if (file < colours.size() && line > 0 && line <= colours[file].size())
                row.tokens = colours[file][line - 1];
            row.link = place == annotated.end() ? CodeRow::NoLink : place->second;
            row.isInlined = place != annotated.end() && it.isInlined && file > 0;
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::vector<CodeRow> instructionRows(const Annotation& annotation, ShareBasis choice)
{
    std::vector<CodeRow> rows;
    const FunctionCode& code = annotation.code;
    for (std::size_t i = 0; i < annotation.addresses.size(); ++i) {
        const AnnotatedAddress& it = annotation.addresses[i];
        const bool hasCode = i < code.instructions.size();
        const std::uint64_t shown = hasCode ? it.address - code.symbol.begin + code.fileAddress : it.address;
        CodeRow row = rowOf(QString::number(shown, 16), hasCode ? QString::fromStdString(code.instructions[i].text) : QString(), it.sums,
                            annotation, choice);
        row.isInlined = it.isInlined;
        if (annotation.lineOf[i] != Annotation::NoLine)
            row.link = int(annotation.lineOf[i]);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<CodeJump> findJumps(const Annotation& annotation)
{
    std::vector<CodeJump> jumps;
    const auto& instructions = annotation.code.instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const Instruction& it = instructions[i];
        if (it.target == 0 || (it.kind != Instruction::Kind::Jump && it.kind != Instruction::Kind::ConditionalJump))
            continue;
        const auto target = std::ranges::lower_bound(instructions, it.target, {}, &Instruction::address);
        if (target != instructions.end() && target->address == it.target)
            jumps.push_back({int(i), int(target - instructions.begin()), 0});
    }
    return jumps;
}

int firstRow(const std::vector<CodeRow>& rows)
{
    const auto hottest = std::ranges::max_element(rows, {}, &CodeRow::share);
    if (hottest != rows.end() && hottest->share > 0)
        return int(hottest - rows.begin());
    const auto first = std::ranges::find_if(rows, [](const CodeRow& row) { return row.link != CodeRow::NoLink; });
    return first == rows.end() ? 0 : int(first - rows.begin());
}

} // namespace helio
