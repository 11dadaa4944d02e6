// heliograph flame on a small recording with a kernel's symbols, made here: what its options choose, and what it says where they choose
// nothing.

#include "tests/app/cli/program.h"
#include "tests/support/perf_builder.h"

#include <QFile>
#include <QTest>

using namespace helio;

namespace {

constexpr std::uint64_t Kernel = 0xffffffff81000000;
constexpr std::uint64_t TextSize = 0x900;
constexpr std::uint64_t InKernel = -128ull; ///< PERF_CONTEXT_KERNEL.

QByteArray kallsyms(std::uint64_t size)
{
    const auto line = [](std::uint64_t at, const char* name) { return QByteArray::number(qulonglong(at), 16) + " T " + name + '\n'; };
    return line(Kernel, "_text") + line(Kernel + 0x100, "outer") + line(Kernel + 0x200, "middle") + line(Kernel + 0x300, "inner")
        + line(Kernel + 0x400, "other") + line(Kernel + size, "_etext");
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write");
}

/// outer > middle > inner has three samples, outer > middle two, outer > other one, on CPU 0 from 1 s to 1.5 s.
MadePerfData recording()
{
    MadePerfData made;
    MadeAttribute attribute;
    attribute.sampleType |= 0x20; // Call chains.
    made.addAttribute(attribute);
    made.addFeature(4, made.make().counted("0.0.1-none"));
    made.add(1, 1, made.trailer(made.make().u32(-1u).u32(0).u64(Kernel).u64(TextSize).u64(Kernel).text("[kernel.kallsyms]_text"), 0, 0, 0, 0));
    std::uint64_t time = 1'000'000'000;
    const auto add = [&](const std::vector<std::uint64_t>& chain) {
        MadeBytes body = made.make().u64(chain.front()).u32(7).u32(7).u64(time).u32(0).u32(0).u64(1000).u64(chain.size() + 1).u64(InKernel);
        for (const std::uint64_t at : chain)
            body.u64(at);
        made.add(9, 1, body);
        time += 100'000'000;
    };
    for (int i = 0; i < 3; ++i)
        add({Kernel + 0x310, Kernel + 0x210, Kernel + 0x110});
    for (int i = 0; i < 2; ++i)
        add({Kernel + 0x210, Kernel + 0x110});
    add({Kernel + 0x410, Kernel + 0x110});
    return made;
}

} // namespace

class FlameMadeTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        write(path("perf.data"), recording().file());
        write(path("kallsyms"), kallsyms(TextSize));
        write(path("other"), kallsyms(TextSize + 0x10));
    }

    void symbolsOfAnotherKernelAreNotUsedAndThatIsSaid()
    {
        QCOMPARE(table({}), "inner 3/3, middle 2/5, other 1/1, outer 0/6");

        const Answer answer = heliograph({"flame", path("perf.data"), "--kallsyms", path("other")});

        QVERIFY2(!answer.out.contains("inner"), answer.out);
        QVERIFY2(answer.err.contains("other is of another kernel: its text is 0x910 bytes long, the recorded kernel's 0x900"), answer.err);
    }

    void theTableIsOfTheStacksThatAreChosen()
    {
        QCOMPARE(table({"--focus", "middle"}), "inner 3/3, middle 2/5, outer 0/5");
        QCOMPARE(table({"--hide", "inner"}), "middle 5/5, other 1/1, outer 0/6");
        QCOMPARE(table({"--callees", "middle"}), "inner 3/3, middle 2/5");
        QCOMPARE(table({"--callers", "middle"}), "middle 2/5, outer 0/5");
        QCOMPARE(table({"--hide-module", "[kernel*"}), "");
        for (const QStringList& option : {QStringList{"--inverted"}, QStringList{"--order", "name"}})
            QCOMPARE(flame(QStringList{"--table"} + option).status, 2);
    }

    void whereCallersAreChildrenTheFunctionHasItsOwn()
    {
        const auto rows = csvRows(flame({"--callers", "middle", "--base", "none", "--format", "csv"}));
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0]["function"] + rows[0]["self_samples"] + '/' + rows[0]["total_samples"], "middle2/5");
        QCOMPARE(rows[1]["function"] + rows[1]["self_samples"] + '/' + rows[1]["total_samples"], "outer0/5");
        const auto lines = flame({"--inverted", "--base", "none"}).lines();
        QCOMPARE(lines.value(1).simplified(), "50.00 50.00 inner [kernel.kallsyms]");
        QCOMPARE(lines.value(2).simplified(), "50.00 0.00 middle [kernel.kallsyms]");
    }

    void whatMatchesNothingIsSaid_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("function") << QStringList{"--callees", "nosuch"} << QByteArray("--callees nosuch: no sample is in such a function");
        QTest::newRow("callers") << QStringList{"--callers", "nosuch"} << QByteArray("--callers nosuch: no sample is in such a function");
        QTest::newRow("focus") << QStringList{"--focus", "nosuch*"} << QByteArray("--focus nosuch*: no sample is in such a function or module");
        QTest::newRow("hide") << QStringList{"--hide", "nosuch"} << QByteArray("--hide nosuch: no sample is in such a function");
        QTest::newRow("thread") << QStringList{"--thread", "99999"} << QByteArray("--thread 99999: there is no such thread here");
        QTest::newRow("process") << QStringList{"--process", "nosuch"} << QByteArray("--process nosuch: no process had this name");
        QTest::newRow("cpu") << QStringList{"--cpu", "7"} << QByteArray("--cpu 7: there are no samples of cpu-clock on it");
        QTest::newRow("time") << QStringList{"--begin", "+10s"} << QByteArray("--begin: there are no samples of cpu-clock then");
    }
    void whatMatchesNothingIsSaid()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, said);

        const Answer answer = flame(options);

        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.err.contains("heliograph: " + said), answer.err);
        QCOMPARE(answer.err.count('\n'), 1);
        QCOMPARE(flame(options + QStringList{"--quiet"}).err, QByteArray());
    }

    void optionsThatMatchSayNothing() { QCOMPARE(flame({"--thread", "7", "--cpu", "0", "--focus", "middle", "--begin", "+0s"}).err, QByteArray()); }

    void aRecordingWithoutSamplesSaysSo()
    {
        MadePerfData empty;
        empty.addAttribute({});
        write(path("empty.data"), empty.file());

        const Answer answer = heliograph({"flame", path("empty.data")});

        QVERIFY2(answer.err.contains("there are no samples"), answer.err);
    }

    void aViewIsNoOption() { QCOMPARE(flame({"--view", "resources"}).status, 2); }

    void whatIsNoWholeRecordingIsSaidOnce()
    {
        write(path("zero.data"), {});
        write(path("head.data"), recording().file().left(90));
        write(path("cut.data"), recording().file().left(500));

        QCOMPARE(heliograph({"flame", path("zero.data")}).err, "heliograph: " + path("zero.data").toUtf8() + ": the file is empty\n");
        const QByteArray head = heliograph({"flame", path("head.data")}).err;
        QVERIFY2(head.count("head.data") == 1 && head.contains(": at offset 90: the file ends within its header"), head);
        const QByteArray cut = heliograph({"info", path("cut.data")}).err;
        const auto size = recording().data.size();
        QVERIFY2(cut.contains("at offset 500: " + QByteArray::number(248 + size - 500) + " of " + QByteArray::number(size) + " bytes are missing"), cut);
    }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }

    Answer flame(const QStringList& options) const
    {
        return heliograph(QStringList{"flame", path("perf.data"), "--kallsyms", path("kallsyms")} + options);
    }

    /// "function self/total", in the order of the table.
    QString table(const QStringList& options) const
    {
        QStringList rows;
        for (const CsvRow& row : csvRows(flame(QStringList{"--table", "--format", "csv"} + options)))
            rows << row["function"] + ' ' + row["self_samples"] + '/' + row["total_samples"];
        return rows.join(", ");
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(FlameMadeTest)
#include "tst_flame_made.moc"
