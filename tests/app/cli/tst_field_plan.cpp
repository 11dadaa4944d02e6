#include "app/cli/output/field_output.h"
#include "app/cli/output/field_plan.h"
#include "core/trace/merged_events.h"
#include "tests/support/ctf_golden.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace helio;

namespace {

using Part = FieldPlan::Part;

std::string decoded(const EventView& event, Part part, OutputFormat format)
{
    const auto values = part == Part::Fields ? decodeSection(event, Section::Payload) : decodeContext(event);
    std::string text;
    switch (format) {
    case OutputFormat::Text: appendReadable(text, values); break;
    case OutputFormat::Csv: {
        std::string details;
        appendDetails(details, values);
        appendCsv(text, details);
        break;
    }
    case OutputFormat::Json: {
        JsonWriter json(text);
        writeJson(json, values);
        text = text.substr(1, text.size() - 2);
    }
    }
    return text;
}

struct Judged {
    int planned = 0;
    int all = 0;
    QString difference;
};

/// Writes the fields and contexts of each event with FieldPlan in all output formats. Compares each text with the text of the same fields
/// from decoded(). Returns the number of texts and the last difference.
Judged judge(const std::filesystem::path& folder)
{
    Judged judged;
    for (const auto* kind : builtinTraceFormats()) {
        for (const auto& source : kind->find(folder)) {
            const auto trace = kind->open(source);
            if (!trace)
                continue;
            std::map<std::tuple<EventTypeId, Part, OutputFormat>, FieldPlan> plans;
            TextBuffer out(16);
            for (MergedEvents events(**trace); events.next();) {
                const EventView& event = events.event();
                for (const auto part : {Part::Fields, Part::Context}) {
                    for (const auto format : {OutputFormat::Text, OutputFormat::Csv, OutputFormat::Json}) {
                        const auto& plan = plans.try_emplace({event.type->id, part, format}, *event.type, part, format).first->second;
                        out.clear();
                        out.append("before ");
                        const bool isPlanned = plan.append(out, event);
                        const std::string expected = "before " + (isPlanned ? decoded(event, part, format) : std::string());
                        ++judged.all;
                        judged.planned += isPlanned;
                        if (out.text() != expected)
                            judged.difference =
                                QString::fromStdString(event.type->name + ": " + std::string(out.text()) + "\nexpected: " + expected);
                    }
                }
            }
        }
    }
    return judged;
}

} // namespace

/// Property: FieldPlan writes each field from the recording's bytes exactly as decoded fields are written.
class FieldPlanTest : public QObject {
    Q_OBJECT

private slots:
    void madeEventsAreWrittenAsTheyAreDecoded_data() { addGoldenRows(); }
    void madeEventsAreWrittenAsTheyAreDecoded()
    {
        QFETCH(QString, path);
        const QTemporaryDir folder;
        GoldenFile::read(path).unpackTo(folder.path().toStdString());

        QCOMPARE(judge(folder.path().toStdString()).difference, QString());
    }

    void recordedEventsAreWrittenAsTheyAreDecoded_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("kernel") << SOURCE_DIR "/resources/samples/workers";
        QTest::newRow("user space") << SOURCE_DIR "/tests/fixtures/ust-callstack";
        QTest::newRow("perf") << SOURCE_DIR "/tests/fixtures/perf";
    }
    void recordedEventsAreWrittenAsTheyAreDecoded()
    {
        QFETCH(QString, folder);

        const Judged judged = judge(folder.toStdString());

        QCOMPARE(judged.difference, QString());
        QVERIFY(judged.all > 0);
        QVERIFY2(folder.contains("perf") || judged.planned > judged.all * 3 / 4, "nearly all kernel and user events are plain");
    }
};

HELIO_TEST(FieldPlanTest)
#include "tst_field_plan.moc"
