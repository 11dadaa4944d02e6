#include "tests/support/ctf_golden.h"

#include "core/formats/ctf/opening/ctf_find.h"
#include "core/formats/ctf/opening/ctf_opening.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace helio {
namespace {

QByteArray number(const QString& token)
{
    // A number with its byte order and width in bits, for example le32:5 or be64:0x10.
    const int bits = token.mid(2, token.indexOf(':') - 2).toInt();
    const QString text = token.section(':', 1);
    bool isGood = false;
    const quint64 value = text.startsWith('-') ? quint64(text.toLongLong(&isGood, 0)) : text.toULongLong(&isGood, 0);
    if (!isGood || bits % 8 || bits < 8 || bits > 64)
        qFatal("golden file: bad number %s", qPrintable(token));
    QByteArray bytes;
    for (int i = 0; i < bits / 8; ++i)
        bytes.append(char(value >> (8 * i)));
    if (token.startsWith("be"))
        std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

QByteArray token(const QString& text)
{
    if (text.startsWith('"'))
        return text.mid(1, text.size() - 2).replace("\\0", QString(QChar(0))).toUtf8();
    if (text.contains(':'))
        return number(text);
    const QByteArray hex = text.section('*', 0, 0).toLatin1();
    const QByteArray bytes = QByteArray::fromHex(hex);
    if (bytes.size() * 2 != hex.size())
        qFatal("golden file: bad hex %s", qPrintable(text));
    return text.contains('*') ? bytes.repeated(text.section('*', 1).toInt()) : bytes;
}

/// Packs the text as lttng-sessiond writes metadata: packets of at most 200 bytes of text, with padding.
QByteArray inPackets(const QByteArray& text)
{
    QByteArray all;
    for (int at = 0; at < text.size(); at += 200) {
        const QByteArray piece = text.mid(at, 200);
        QByteArray header = number("le32:0x75D11D57") + QByteArray(16, '\x11') + number("le32:0");
        header += number(QString("le32:%1").arg((37 + piece.size()) * 8)) + number("le32:2048");
        header += QByteArray::fromHex("0000000108");
        all += (header + piece).leftJustified(256, '\0');
    }
    return all;
}

void write(const std::filesystem::path& path, const QByteArray& bytes)
{
    std::filesystem::create_directories(path.parent_path());
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", path.c_str());
}

QString sectionText(const EventView& event, Section section)
{
    const auto members = decodeSection(event, section);
    if (members.empty())
        return {};
    return " "
        + QString::fromLatin1(
               QByteArray::fromStdString(displayText(FieldValue{members, {}})).toPercentEncoding(" {}[]=,.|+-_#:/$()*&<>'\"!"));
}

QString eventText(const EventView& event)
{
    QString line = QString("%1 %2").arg(nanoseconds(event.time())).arg(QString::fromStdString(event.type->name));
    if (event.cpu() >= 0)
        line += QString(" cpu%1").arg(event.cpu());
    line += sectionText(event, helio::Section::Payload);
    for (const auto section : {helio::Section::EventContext, helio::Section::StreamContext})
        if (const auto text = sectionText(event, section); !text.isEmpty())
            line += (section == helio::Section::EventContext ? " context" : " stream") + text;
    return line;
}

QString lossText(const Loss& loss)
{
    return QString("lost %1 events %2 packets in %3..%4%5")
        .arg(loss.events)
        .arg(loss.packets)
        .arg(nanoseconds(loss.range.begin))
        .arg(nanoseconds(loss.range.end))
        .arg(loss.cpu >= 0 ? QString(" cpu%1").arg(loss.cpu) : QString());
}

QString diagnosticText(const Diagnostic& diagnostic)
{
    const auto name = std::filesystem::path(diagnostic.file).filename().string();
    return QString("%1 x%2 %3@%4")
        .arg(QString::fromStdString(diagnostic.kind))
        .arg(diagnostic.count)
        .arg(QString::fromStdString(name))
        .arg(diagnostic.offset);
}

void readTrace(const Trace& trace, GoldenResult& result)
{
    MergedEvents events(trace);
    const auto takeLosses = [&] {
        for (const auto& loss : events.takeLosses())
            result.events << lossText(loss);
    };
    while (events.next()) {
        takeLosses();
        result.events << eventText(events.event());
    }
    takeLosses();
    for (const auto& diagnostic : trace.diagnostics())
        result.diagnostics << diagnosticText(diagnostic);
    for (const auto& diagnostic : events.diagnostics())
        result.diagnostics << diagnosticText(diagnostic);
}

} // namespace

Result<std::shared_ptr<const Trace>> openCtf(const TraceSource& source)
{
    auto opening = ctf::beginCtf(source);
    if (!opening)
        return opening.error();
    return (*opening)->finish({}, {});
}

GoldenFile GoldenFile::read(const QString& path)
{
    GoldenFile golden;
    golden.path = path;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    auto lines = QString::fromUtf8(file.readAll()).split('\n');
    if (!lines.isEmpty() && lines.last().isEmpty())
        lines.removeLast();
    golden.why = lines.takeFirst();
    for (const auto& line : lines) {
        if (line.startsWith("--- "))
            golden.sections.push_back({line.section(' ', 1, 1), line.section(' ', 2), {}});
        else if (!golden.sections.empty())
            golden.sections.back().lines << line;
    }
    return golden;
}

QStringList GoldenFile::lines(const QString& kind) const
{
    for (const auto& section : sections)
        if (section.kind == kind)
            return section.lines;
    return {};
}

void GoldenFile::rewrite(const QString& kind, const QStringList& lines)
{
    sections.erase(std::remove_if(sections.begin(), sections.end(), [&](const Section& section) { return section.kind == kind; }),
                   sections.end());
    if (!lines.isEmpty())
        sections.push_back({kind, {}, lines});
}

void GoldenFile::save() const
{
    QString text = why + "\n";
    for (const auto& section : sections)
        text += QString("--- %1 %2").arg(section.kind, section.name).trimmed() + "\n" + section.lines.join('\n') + "\n";
    write(path.toStdString(), text.toUtf8());
}

void GoldenFile::unpackTo(const std::filesystem::path& folder) const
{
    for (const auto& section : sections) {
        if (section.kind == "metadata") {
            const QByteArray text = section.lines.join('\n').toUtf8() + "\n";
            const bool isPacketized = section.name == "packets";
            const auto below = isPacketized ? std::string() : section.name.toStdString();
            write(folder / below / "metadata", isPacketized ? inPackets(text) : text);
        } else if (section.kind == "stream") {
            write(folder / section.name.toStdString(), parseGoldenBytes(section.lines));
        }
    }
}

QByteArray parseGoldenBytes(const QStringList& lines)
{
    static const QRegularExpression tokens(R"("[^"]*"|[^\s]+)");
    QByteArray bytes;
    for (const auto& line : lines) {
        auto match = tokens.globalMatch(line.section('#', 0, 0));
        while (match.hasNext())
            bytes += token(match.next().captured());
    }
    return bytes;
}

GoldenResult readGolden(const std::filesystem::path& folder)
{
    GoldenResult result;
    const auto sources = ctf::findTraces(folder);
    if (sources.empty())
        result.error << "no trace is found";
    for (const auto& source : sources) {
        if (const auto trace = openCtf(source))
            readTrace(**trace, result);
        else
            result.error << QString::fromStdString(trace.error().what).remove(QString::fromStdString(folder.string()) + "/");
    }
    return result;
}

void addGoldenRows()
{
    QTest::addColumn<QString>("path");
    const QDir folder(SOURCE_DIR "/tests/golden/ctf");
    for (const auto& name : folder.entryList({"*.golden"}, QDir::Files, QDir::Name))
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

} // namespace helio
