#include "core/profiling/export/call_tree_text.h"
#include "core/profiling/export/speedscope.h"
#include "tests/core/profiling/made_stacks.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QXmlStreamReader>

using namespace helio;

namespace {

CallTree treeOf(const MadeStacks& made)
{
    CallTreeOptions options;
    options.base = CallTreeOptions::Base::Command;
    return buildCallTree(made.profile, made.names, options);
}

template <typename Write> QByteArray written(const Write& write)
{
    QByteArray text;
    write([&](std::string_view part) {
        text.append(part.data(), qsizetype(part.size()));
        return true;
    });
    return text;
}

QByteArray folded(const MadeStacks& made, WeightBy by = WeightBy::Samples)
{
    return written([&](const TextSink& sink) { writeFolded(treeOf(made), by, sink); });
}

QByteArray svg(const MadeStacks& made, const SvgOptions& options = {})
{
    SvgStyle style;
    style.rootName = "all";
    style.fill = [](std::uint32_t) { return SvgColor{1, 2, 3}; };
    style.saying = style.words = [](std::uint32_t node) { return std::to_string(node); };
    return written([&](const TextSink& sink) { writeSvg(treeOf(made), WeightBy::Samples, options, style, sink); });
}

} // namespace

class CallTreeTextTest : public QObject {
    Q_OBJECT

private slots:
    void foldedLinesAreSortedAndSumUp()
    {
        MadeStacks made;
        made.add("main;f 3").add("main 1").add("main;f@lib 2").add("main;a b 4");

        QCOMPARE(folded(made), QByteArray("prog;main 1\nprog;main;a b 4\nprog;main;f 5\n"));
        QCOMPARE(folded(made, WeightBy::Weight), QByteArray("prog;main 10\nprog;main;a b 40\nprog;main;f 50\n"));
    }

    void aNameNeverEndsAFrameOrALine()
    {
        MadeStacks made;
        made.add("main;f 1");
        made.names.functions[2].name = "odd;name\nhere";

        QCOMPARE(folded(made), QByteArray("prog;main;odd:name here 1\n"));
    }

    void speedscopeReadsTheSameSums()
    {
        MadeStacks made;
        made.add("main;f 3").add("main 1").add("main;\"g\" 2");
        made.names.functions[1].name = "ma\xffin";

        CallTreeOptions options;
        options.base = CallTreeOptions::Base::None;
        const SpeedscopeProfile part{made.profile, made.names, WeightBy::Weight};
        const QByteArray text = written([&](const TextSink& sink) { writeSpeedscope({&part, 1}, {}, options, "a \"name\"", sink); });

        QJsonParseError error;
        const QJsonObject file = QJsonDocument::fromJson(text, &error).object();
        QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
        QCOMPARE(file["name"].toString(), QStringLiteral("a \"name\""));
        const QJsonArray frames = file["shared"].toObject()["frames"].toArray();
        const QJsonObject profile = file["profiles"].toArray()[0].toObject();
        QCOMPARE(profile["endValue"].toInt(), 60);
        const QJsonArray samples = profile["samples"].toArray();
        const QJsonArray weights = profile["weights"].toArray();
        QCOMPARE(samples.size(), weights.size());
        QStringList stacks;
        for (int i = 0; i < samples.size(); ++i) {
            QStringList names;
            for (const QJsonValue& frame : samples[i].toArray())
                names << frames[frame.toInt()].toObject()["name"].toString();
            stacks << names.join(';') + ' ' + QString::number(weights[i].toInt());
        }
        QCOMPARE(stacks, (QStringList{"ma\\xffin;f 30", "ma\\xffin 10", "ma\\xffin;\"g\" 20"}));
    }

    /// Input: threads that were sampled at different times. Property: their speedscope profiles have one time axis.
    void speedscopeProfilesLineUpInTime()
    {
        MadeStacks made;
        made.profile.kind.origin = SampleKind::Origin::OffCpu;
        made.profile.kind.unit = "ns";
        const std::uint32_t other = made.addThread("other", 20, 20);
        made.add("main 3").add("main 1", other).add("main 2");
        // Beginning and duration of each sample in ns.
        const std::pair<std::int64_t, std::uint64_t> times[] = {{1000, 30}, {1100, 10}, {1200, 20}};
        for (std::size_t i = 0; i < 3; ++i) {
            made.profile.stacks[i].first = timestamp(times[i].first);
            made.profile.stacks[i].weight = times[i].second;
        }
        CallTreeOptions options;
        options.base = CallTreeOptions::Base::None;
        const SpeedscopeProfile part{made.profile, made.names, WeightBy::Weight};
        const QByteArray text = written([&](const TextSink& sink) { writeSpeedscope({&part, 1}, {}, options, "a", sink); });

        const QJsonArray profiles = QJsonDocument::fromJson(text).object()["profiles"].toArray();
        QStringList lines;
        for (const QJsonValue& profile : profiles) {
            QStringList parts{profile["name"].toString()};
            const QJsonArray samples = profile["samples"].toArray();
            for (int i = 0; i < samples.size(); ++i)
                parts << QString("%1x%2").arg(profile["weights"].toArray()[i].toInt()).arg(samples[i].toArray().size());
            lines << parts.join(' ') + QString(" of %1").arg(profile["endValue"].toInt());
        }
        QCOMPARE(lines, (QStringList{": prog (10) 30x1 170x0 20x1 of 220", ": other (20) 100x0 10x1 110x0 of 220"}));
    }

    void speedscopeCallsNest()
    {
        SpeedscopeCalls calls;
        calls.functions.resize(2);
        calls.functions[0].name = "outer";
        calls.functions[1].name = "inner";
        const auto range = [](std::int64_t begin, std::int64_t end) { return TimeRange{timestamp(begin), timestamp(end)}; };
        calls.threads = {{"call: prog (7)", {{range(100, 200), 0}, {range(110, 120), 1}, {range(150, 250), 1}, {range(300, 310), 0}}}};
        const QByteArray text = written([&](const TextSink& sink) { writeSpeedscope({}, calls, {}, "a", sink); });

        const QJsonObject profile = QJsonDocument::fromJson(text).object()["profiles"].toArray()[0].toObject();
        QCOMPARE(profile["type"].toString(), QStringLiteral("evented"));
        QCOMPARE(profile["endValue"].toInt(), 210);
        QStringList events;
        for (const QJsonValue& event : profile["events"].toArray())
            events << event["type"].toString() + QString("%1@%2").arg(event["frame"].toInt()).arg(event["at"].toInt());
        QCOMPARE(events, (QStringList{"O0@0", "O1@10", "C1@20", "O1@50", "C1@100", "C0@100", "O0@200", "C0@210"}));
    }

    void thePictureIsWholeXmlOfAllNames()
    {
        MadeStacks made;
        made.add("main;std::vector<int>::operator[] 3").add("main;a&b 1").add("main;\xc3\x28 1");

        QXmlStreamReader xml(svg(made));
        int frames = 0;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.attributes().hasAttribute("data-n"))
                ++frames;

        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(frames, 6); // Six frames: all, prog, main and three more.
    }

    void theNarrowAreLeftOutAndCounted()
    {
        MadeStacks made;
        made.add("main;wide 1000000").add("main;narrow;deep 1");

        const QByteArray picture = svg(made);

        QVERIFY(picture.contains("data-n=\"wide\""));
        QVERIFY(!picture.contains("data-n=\"narrow\""));
        QVERIFY(picture.contains("2 narrow frames are left out"));
    }

    void whoWantsNoMoreGetsNoMore()
    {
        MadeStacks made;
        for (int i = 0; i < 20'000; ++i)
            made.add("main;function number " + std::to_string(i) + " 1");
        int parts = 0;

        writeFolded(treeOf(made), WeightBy::Samples, [&](std::string_view) { return ++parts < 2; });

        QCOMPARE(parts, 2);
    }
};

HELIO_TEST(CallTreeTextTest)
#include "tst_call_tree_text.moc"
