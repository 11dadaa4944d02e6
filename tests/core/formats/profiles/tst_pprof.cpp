#include "core/formats/profiles/pprof_reader.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "tests/core/formats/profiles/made_pprof.h"
#include "tests/support/dice.h"
#include "tests/support/opened_text.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTest>

using namespace helio;

namespace {

/// Returns a profile in pprof's format with two sample types, an inlined function, labels and a mapping.
QByteArray smallProfile()
{
    MadePprof made;
    made.type("samples", "count").type("cpu", "microseconds");
    made.mapping(1, 0x1000, 0x9000, 0x100, "/bin/app", "ABCD");
    made.function(1, "main", "/src/app.c").function(2, "inner", "/src/app.c").function(3, "outer", "/src/app.c");
    made.location(1, {{1, 10}}, 1, 0x1200).location(2, {{2, 20}, {3, 30}}, 1, 0x1300).location(3, {}, 1, 0x1400).location(4, {}, 0, 5);
    made.sample({2, 1}, {3, 30}, made.textLabel("request", "a"));
    made.sample({1}, {2, 20}, made.numberLabel("bytes", 7));
    made.sample({3, 1}, {1, 10});
    made.sample({4, 1}, {1, 5});
    made.number(9, 1'700'000'000'000'000'000).number(10, 5000).number(12, 100);
    return made.bytes();
}

/// Fields of a protobuf message as pairs of field number and value, decoded independently of Heliograph's reader.
struct DecodedMessage {
    std::vector<std::pair<quint64, quint64>> numbers;
    std::vector<std::pair<quint64, QByteArray>> texts;

    explicit DecodedMessage(const QByteArray& bytes)
    {
        qsizetype at = 0;
        while (at < bytes.size()) {
            const quint64 key = varint(bytes, at);
            const quint64 value = varint(bytes, at);
            if (key % 8 == 0)
                numbers.emplace_back(key / 8, value);
            else if (key % 8 == 2) {
                texts.emplace_back(key / 8, bytes.mid(at, qsizetype(value)));
                at += qsizetype(value);
            } else
                qFatal("unexpected wire type");
        }
    }
    quint64 number(quint64 tag) const
    {
        for (const auto& [key, value] : numbers)
            if (key == tag)
                return value;
        return 0;
    }
    std::vector<quint64> packed(quint64 tag) const
    {
        std::vector<quint64> values;
        for (const auto& [key, value] : numbers)
            if (key == tag)
                values.push_back(value);
        for (const QByteArray& text : all(tag))
            for (qsizetype at = 0; at < text.size();)
                values.push_back(varint(text, at));
        return values;
    }
    std::vector<QByteArray> all(quint64 tag) const
    {
        std::vector<QByteArray> found;
        for (const auto& [key, value] : texts)
            if (key == tag)
                found.push_back(value);
        return found;
    }

    static quint64 varint(const QByteArray& bytes, qsizetype& at)
    {
        quint64 value = 0;
        for (int shift = 0; at < bytes.size(); shift += 7) {
            const auto byte = quint8(bytes[at++]);
            value |= quint64(byte & 0x7f) << shift;
            if (byte < 0x80)
                break;
        }
        return value;
    }
};

/// Returns the sorted folded stacks of a pprof profile, decoded independently of Heliograph's reader. `index`: index of the sample type.
/// Every location of the profile must have a function.
std::string foldedBySecondDerivation(const QByteArray& bytes, std::size_t index)
{
    const DecodedMessage profile(bytes);
    const auto strings = profile.all(6);
    std::map<quint64, QByteArray> functions;
    for (const QByteArray& it : profile.all(5))
        functions[DecodedMessage(it).number(1)] = strings.at(DecodedMessage(it).number(2));
    std::map<quint64, QByteArrayList> locations; // Function names of each location, outermost first; keyed by location id.
    for (const QByteArray& it : profile.all(4))
        for (const QByteArray& line : DecodedMessage(it).all(4))
            locations[DecodedMessage(it).number(1)].prepend(functions.at(DecodedMessage(line).number(1)));
    std::map<QByteArray, quint64> sums;
    for (const QByteArray& it : profile.all(2)) {
        const DecodedMessage sample(it);
        QByteArrayList stack;
        for (const quint64 id : sample.packed(1))
            stack = locations.at(id) + stack;
        sums[stack.join(';')] += sample.packed(2).at(index);
    }
    std::string text;
    for (const auto& [stack, sum] : sums)
        if (sum > 0)
            text += stack.toStdString() + ' ' + std::to_string(sum) + '\n';
    return text;
}

std::string sorted(const std::string& text)
{
    QStringList lines = QString::fromStdString(text).split('\n', Qt::SkipEmptyParts);
    lines.sort();
    return lines.join('\n').toStdString();
}

} // namespace

/// Input: profiles in pprof's format.
class PprofTest : public QObject {
    Q_OBJECT

private slots:
    void eachSampleTypeIsAnEvent()
    {
        const OpenedText opened(smallProfile(), "cpu.pb");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.trace().info().format, "pprof");
        QVERIFY(!opened.trace().info().hasTimes);
        const auto kinds = sampleKinds(*opened.timeline);
        QCOMPARE(kinds.size(), std::size_t(2));
        QCOMPARE(kinds[0].kind.name, "cpu"); // Sample types that measure time come first.
        QCOMPARE(kinds[0].kind.unit, "ns");
        QVERIFY(kinds[0].kind.isTime);
        QCOMPARE(kinds[1].kind.name, "samples");
        QCOMPARE(kinds[1].samples, std::uint64_t(7));
        QCOMPARE(opened.profile("cpu").weight, std::uint64_t(65'000));
        QCOMPARE(opened.profile("samples").samples, std::uint64_t(7));
        QVERIFY(opened.trace().diagnostics().empty());
    }

    void stacksHaveInlinedFunctionsAndAddresses()
    {
        const OpenedText opened(smallProfile(), "cpu.pb");

        QCOMPARE(opened.folded("samples"), "main 2\nmain;[app] 1\nmain;[unknown] 1\nmain;outer;inner 3\n");
        QCOMPARE(opened.folded("samples", WeightBy::Samples, false), "main 2\nmain;[app] 1\nmain;[unknown] 1\nmain;outer 3\n");
        // The address of a location without functions is converted to an offset in the mapped file, whose symbols can name the function.
        const auto modules = opened.trace().modules();
        const auto plain = std::ranges::find_if(modules, [](const Module& it) { return it.path == "/bin/app" && !it.names; });
        QVERIFY(plain != modules.end());
        QCOMPARE(plain->buildId, "abcd");
        const auto stacks = opened.trace().samples()->stacks();
        const auto isThere = [&](const RecordedFrame& it) { return it.module == ModuleId(plain - modules.begin()); };
        QCOMPARE(std::ranges::find_if(stacks, isThere)->address, std::uint64_t(0x1400 - 0x1000 + 0x100));
    }

    void labelsAreFields()
    {
        const OpenedText opened(smallProfile(), "cpu.pb");

        QStringList fields;
        MergedEvents events(opened.trace());
        while (events.next())
            for (const NamedValue& field : decodeSection(events.event(), Section::Payload))
                if (field.name != "period")
                    fields << QString::fromStdString(field.name + '=' + displayText(field.value));
        QCOMPARE(fields, (QStringList{"request=a", "bytes=7", "request=a", "bytes=7"}));
    }

    void theEnvironmentSaysWhenAndHowOften()
    {
        const OpenedText opened(smallProfile(), "cpu.pb");

        const TraceInfo& info = opened.trace().info();
        QCOMPARE(info.number("time_nanos", 0), std::int64_t(1'700'000'000'000'000'000));
        QCOMPARE(info.number("duration_nanos", 0), std::int64_t(5000));
    }

    void theDefaultTypeComesFirst()
    {
        MadePprof made;
        made.type("alloc_space", "bytes").type("inuse_space", "bytes").function(1, "main").location(1, {{1, 0}});
        made.sample({1}, {1000, 200}).number(14, made.text("inuse_space"));
        const OpenedText opened(made.bytes(), "heap.pb");

        QVERIFY2(opened.timeline, opened.error.c_str());
        const auto kinds = sampleKinds(*opened.timeline);
        QCOMPARE(kinds.at(0).kind.name, "inuse_space");
        QCOMPARE(kinds.at(0).kind.unit, "bytes");
        QCOMPARE(kinds.at(0).kind.origin, SampleKind::Origin::Summed);
        QCOMPARE(defaultWeight(kinds.at(0).kind), WeightBy::Weight);
        QCOMPARE(opened.profile("alloc_space").weight, std::uint64_t(1000));
    }

    void badSamplesAreReported()
    {
        MadePprof made;
        made.type("samples", "count").type("cpu", "seconds").function(1, "main").location(1, {{1, 0}}).location(2, {{9, 0}});
        made.sample({1}, {1, 1});
        made.sample({1}, {quint64(-3), 1}); // Bad: the value is negative.
        made.sample({7, 1}, {1, 1}); // Bad: location 7 does not exist.
        made.sample({2, 1}, {1, quint64(1) << 62}); // Bad: location 2 refers to an unknown function, and the time overflows.
        made.sample({1}, {1}); // Bad: only one value for two sample types.
        const OpenedText opened(made.bytes(), "bad.pb");

        QCOMPARE(opened.folded("samples"), "main 2\nmain;[unknown] 2\n");
        QCOMPARE(opened.profile("cpu").weight, std::uint64_t(3'000'000'000));
        QCOMPARE(opened.complaints("negative-value"), std::uint64_t(1));
        QCOMPARE(opened.complaints("unknown-location"), std::uint64_t(2));
        QCOMPARE(opened.complaints("unknown-function"), std::uint64_t(1));
        QCOMPARE(opened.complaints("large-value"), std::uint64_t(1));
        QCOMPARE(opened.complaints("value-count"), std::uint64_t(2));
    }

    void aCutProfileKeepsItsSamples()
    {
        MadePprof made;
        made.type("samples", "count").function(1, "main").location(1, {{1, 0}}).sample({1}, {1}).sample({1}, {2});
        const QByteArray whole = made.bytes();
        const OpenedText opened(whole.chopped(2), "cut.pb"); // The cut is within "main", the last string of the string table.

        QCOMPARE(opened.profile("samples").samples, std::uint64_t(3));
        QCOMPARE(opened.complaints("invalid-message"), std::uint64_t(1));
        QVERIFY(opened.complaints("unknown-string") > 0);
    }

    void damageIsSurvived()
    {
        const QByteArray whole = smallProfile();
        Dice dice(3);
        const auto read = [](const QByteArray& bytes) {
            const std::string_view view(bytes.data(), std::size_t(bytes.size()));
            SampleRecording recording("x");
            (void)profiles::isPprof(view);
            (void)profiles::readPprof(view, recording, {});
            recording.finish();
            QVERIFY(recording.events.events().size() <= 100);
        };
        for (qsizetype size = 0; size < whole.size(); ++size)
            read(whole.first(size));
        for (int round = 0; round < 3000; ++round)
            read(dice.damaged(whole, QByteArray("\x0a\x12\x1a\x22\x2a\x32\xff", 7)));
    }

    void otherFilesAreNotProfiles()
    {
        for (const char* text : {"", "\n", "\n\nhello world 12\n", "a;b 1\n", "\x0a\x04\x08\x01\x10", "{\"nodes\":[]}"})
            QVERIFY2(!profiles::isPprof(text), text);
    }

    void readingIsStopped()
    {
        MadePprof made;
        made.type("samples", "count").function(1, "main").location(1, {{1, 0}});
        for (int i = 0; i < 2000; ++i)
            made.sample({1}, {1});
        const QByteArray bytes = made.bytes();
        std::stop_source stop;
        stop.request_stop();
        SampleRecording recording("x");

        QVERIFY(!profiles::readPprof({bytes.data(), std::size_t(bytes.size())}, recording, stop.get_token()));
    }

    /// Property: reading one long sample can be stopped, because the frames and labels of a sample count as steps.
    void readingALongSampleIsStopped()
    {
        MadePprof made;
        made.type("samples", "count").function(1, "main").location(1, {{1, 0}}).sample(std::vector<quint64>(5000, 1), {1});
        const QByteArray bytes = made.bytes();
        std::stop_source stop;
        stop.request_stop();
        SampleRecording recording("x");
        const auto read = profiles::readPprof({bytes.data(), std::size_t(bytes.size())}, recording, stop.get_token());

        QVERIFY(!read);
        QCOMPARE(read.error().kind, Error::Kind::Cancelled);
    }

    void manyLabelsAreCut()
    {
        MadePprof made;
        made.type("samples", "count").function(1, "main").location(1, {{1, 0}});
        QByteArray labels;
        for (int i = 0; i < 300; ++i)
            labels += made.numberLabel("label" + QByteArray::number(i), i);
        made.sample({1}, {1}, labels);
        const QByteArray bytes = made.bytes();
        SampleRecording recording("x");

        QVERIFY(profiles::readPprof({bytes.data(), std::size_t(bytes.size())}, recording, {}));
        QCOMPARE(recording.events.diagnostics().size(), std::size_t(1));
        QCOMPARE(recording.events.diagnostics().front().kind, "many-labels");
        QCOMPARE(recording.events.diagnostics().front().count, std::uint64_t(300 - 256));
    }

    void aRecordedProfileEqualsASecondDerivation()
    {
        const QString path = sharedFile("formats/profiles/simple.pprof");
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        QProcess gzip;
        gzip.start("gzip", {"-dc", path});
        QVERIFY(gzip.waitForFinished());
        const QByteArray bytes = gzip.readAllStandardOutput();
        const auto opened = OpenedText::ofFile(path);

        QVERIFY2(opened->timeline, opened->error.c_str());
        QCOMPARE(sorted(opened->folded("samples")), sorted(foldedBySecondDerivation(bytes, 0)));
        QCOMPARE(sorted(opened->folded("cpu", WeightBy::Weight)), sorted(foldedBySecondDerivation(bytes, 1)));
        QVERIFY(opened->profile("samples").samples > 0);
        QVERIFY(opened->trace().diagnostics().empty());
    }
};

HELIO_TEST(PprofTest)
#include "tst_pprof.moc"
