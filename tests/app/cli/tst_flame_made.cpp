// Output of heliograph flame on a small synthetic recording with kernel symbols: the selections of its options, and the messages if an
// option selects nothing.

#include "tests/app/cli/program.h"
#include "tests/support/perf_builder.h"
#include "tests/support/test_program.h"
#include "widgets/theme/theme.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace helio;

namespace {

constexpr std::uint64_t Kernel = 0xffffffff81000000;
constexpr std::uint64_t TextSize = 0x900;
constexpr std::uint64_t InKernel = -128ull; ///< Context marker PERF_CONTEXT_KERNEL in call chains.

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

/// Makes a recording on CPU 0 from 1 s to 1.5 s: outer > middle > inner has three samples, outer > middle two, and outer > other one.
MadePerfData recording(const std::vector<std::uint64_t>& periods = {1000, 1000, 1000, 1000, 1000, 1000})
{
    MadePerfData made;
    MadeAttribute attribute;
    attribute.sampleType |= 0x20; // Flag PERF_SAMPLE_CALLCHAIN: each sample has a call chain.
    made.addAttribute(attribute);
    made.addFeature(4, made.make().counted("0.0.1-none"));
    made.add(1, 1,
             made.trailer(made.make().u32(-1u).u32(0).u64(Kernel).u64(TextSize).u64(Kernel).text("[kernel.kallsyms]_text"), 0, 0, 0, 0));
    std::uint64_t time = 1'000'000'000;
    auto period = periods.begin();
    const auto add = [&](const std::vector<std::uint64_t>& chain) {
        MadeBytes body =
            made.make().u64(chain.front()).u32(7).u32(7).u64(time).u32(0).u32(0).u64(*period++).u64(chain.size() + 1).u64(InKernel);
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
        // The periods of the samples differ, as if perf had sampled at a frequency: perf then begins with periods of 1.
        write(path("uneven.data"), recording({1, 1, 1, 10, 10, 977}).file());
    }

    void samplesWeighTheirPeriodsWhereThoseDiffer()
    {
        const auto lines = uneven({"--table"}).lines();
        QCOMPARE(lines.value(0), "1.00 \u00b5s in 6 samples");
        QCOMPARE(lines.value(2).simplified(), "97.70 97.70 [kernel.kallsyms] other 1 1 977 977");
        QStringList rows;
        for (const CsvRow& row : csvRows(uneven({"--table", "--format", "csv"})))
            rows << row["function"] + ' ' + row["self_weight"] + '/' + row["total_weight"];
        QCOMPARE(rows.join(", "), "other 977/977, middle 20/23, inner 3/3, outer 0/1000");
        QCOMPARE(uneven({"--format", "folded", "--base", "none"}).out, "outer;middle 20\nouter;middle;inner 3\nouter;other 977\n");
        QCOMPARE(uneven({"--format", "folded", "--base", "none", "--by", "samples"}).out,
                 "outer;middle 2\nouter;middle;inner 3\nouter;other 1\n");
        QCOMPARE(uneven({}).lines().value(3).simplified(), "100.00 0.00 outer [kernel.kallsyms]");
        QVERIFY(uneven({"--format", "svg"}).out.contains(">1.00 \u00b5s in 6 samples</text>"));
        QCOMPARE(flame({"--format", "folded", "--base", "none"}).out, "outer;middle 2\nouter;middle;inner 3\nouter;other 1\n");
    }

    void thePictureHasTheThemesColoursAndWhatWasAskedFor()
    {
        const auto svg = [this](const QStringList& options) { return flame(QStringList{"--format", "svg"} + options).out; };
        const Theme theme = Theme::make(Theme::Kind::Light);
        const auto rgb = [&](const char* role) {
            const QColor color = theme.color(role);
            return QStringLiteral("rgb(%1,%2,%3)").arg(color.red()).arg(color.green()).arg(color.blue()).toUtf8();
        };
        const QByteArray plain = svg({});
        QVERIFY2(plain.contains("fill=\"" + rgb("surface.panel") + '"') && plain.contains(rgb("flame.kernel")), plain.left(1500));
        QVERIFY(plain.contains("width=\"1200\"") && plain.contains(">perf.data: cpu-clock</text>"));
        QVERIFY(plain.contains(">Kernel</text>")); // The legend has an entry for the kernel.

        const QByteArray asked = svg({"--title", "one & all", "--width", "700", "--colors", "heat"});
        QVERIFY(asked.contains("width=\"700\"") && asked.contains(">one &amp; all</text>"));
        QVERIFY(asked.contains(rgb("heat.4")) && !asked.contains(rgb("flame.kernel")));
        QVERIFY(svg({"--colors", "code"}).contains(">guest</text>"));

        QCOMPARE(flame({"--title", "of a table"}).status, 2);
        for (const char* width : {"199", "1e3", "100001", "-5"})
            QCOMPARE(flame({"--format", "svg", "--width", width}).status, 2);
        QCOMPARE(flame({"--format", "svg", "--colors", "java"}).status, 2);
    }

    void speedscopeHasEachSampleInTimeOrder()
    {
        const auto document = QJsonDocument::fromJson(uneven({"--format", "speedscope"}).out).object();
        const QJsonArray frames = document["shared"].toObject()["frames"].toArray();
        const QJsonArray profiles = document["profiles"].toArray();
        QCOMPARE(profiles.size(), 1);
        const QJsonObject profile = profiles[0].toObject();
        QCOMPARE(profile["unit"].toString(), "nanoseconds");
        QCOMPARE(profile["endValue"].toInt(), 500'000'001); // Length in ns from the first sample's beginning to the last sample's end.
        QVERIFY2(profile["name"].toString().startsWith("cpu-clock: ") && profile["name"].toString().endsWith("(7)"),
                 qPrintable(profile["name"].toString()));
        QStringList samples;
        for (const QJsonValue& sample : profile["samples"].toArray()) {
            QStringList names;
            for (const QJsonValue& frame : sample.toArray())
                names << frames[frame.toInt()].toObject()["name"].toString();
            samples << names.join(';') + ' ' + QString::number(profile["weights"].toArray()[samples.size()].toInt());
        }
        QCOMPARE(samples,
                 (QStringList{"outer;middle;inner 1", " 99999999", "outer;middle;inner 1", " 99999999", "outer;middle;inner 1", " 99999990",
                              "outer;middle 10", " 99999990", "outer;middle 10", " 99999023", "outer;other 977"}));
    }

    void rowsOfTheTableAreWhatIsAskedFor()
    {
        const auto rows = [&](const QString& group, const char* column) {
            QStringList texts;
            for (const CsvRow& row : csvRows(uneven({"--table", "--format", "csv", "--group", group})))
                texts << row[column] + ' ' + row["self_weight"] + '/' + row["total_weight"];
            return texts.join(", ");
        };
        QCOMPARE(rows("module", "module"), "[kernel.kallsyms] 1000/1000");
        QCOMPARE(rows("thread", "tid"), "7 1000/1000");
        QCOMPARE(rows("process", "pid"), "7 1000/1000");
        QCOMPARE(rows("function", "function"), "other 977/977, middle 20/23, inner 3/3, outer 0/1000");
        // The command refuses --group, because a flame graph has no groups, unlike a table.
        QCOMPARE(uneven({"--group", "module"}).status, 2);
        QCOMPARE(uneven({"--table", "--group", "nonsense"}).status, 2);
    }

    void anotherEventStandsBesideWithItsRatio()
    {
        const auto rows = csvRows(uneven({"--table", "--format", "csv", "--with", "cpu-clock", "--by", "period"}));
        QCOMPARE(rows.size(), 4);
        for (const CsvRow& row : rows) {
            QCOMPARE(row["self_cpu-clock"], row["self_weight"]);
            QCOMPARE(row["total_ratio_cpu-clock"], "1");
            QCOMPARE(row["self_ratio_cpu-clock"], row["self_weight"] == "0" ? "" : "1");
        }
        const ProgramResult none = uneven({"--table", "--with", "cycles"});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("--with: no samples of \"cycles\""), none.err);
    }

    void aFilterOfTimeIsAskedOfEachSample()
    {
        QCOMPARE(table({"--filter", "time < +0.3s"}), table({"--end", "+0.3s"}));
        QCOMPARE(table({"--filter", "time < +0.3s"}), "inner 3/3, middle 0/3, outer 0/3");
        QCOMPARE(table({"--filter", "time >= +0.3s && time < +0.5s || tid == 8"}), "middle 2/2, outer 0/2");
        QCOMPARE(table({"--filter", "time >= +0.3s && tid == 8"}), "");
        QCOMPARE(table({"--filter", "!(time < +0.5s)", "--thread", "7"}), "other 1/1, outer 0/1");
    }

    void whatAFilterCannotAskOfSamplesIsRefused_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("flame") << QStringList{"flame", path("perf.data")};
        QTest::newRow("annotate") << QStringList{"annotate", path("perf.data"), "--symbol", "inner"};
        QTest::newRow("picture") << QStringList{"render", path("perf.data"), "--view", "flame", "-o", path("x.svg")};
        QTest::newRow("compare") << QStringList{"compare", "--a", path("perf.data"), "--b", path("perf.data")};
    }
    void whatAFilterCannotAskOfSamplesIsRefused()
    {
        QFETCH(QStringList, command);
        for (const QString filter : {"state == \"running\"", "time < +1s && duration > 1ms"}) {
            const ProgramResult answer = heliograph(command + QStringList{"--filter", filter});
            QCOMPARE(answer.status, 2);
            QCOMPARE(answer.out, QByteArray());
            QVERIFY2(answer.err.contains("--filter: state and duration do not apply to samples"), answer.err);
        }
    }

    void whyThereAreNoNamesIsSaidBelowTheTable()
    {
        const ProgramResult answer = heliograph({"flame", path("perf.data"), "--table", "--quiet"});
        QVERIFY2(!answer.lines().value(0).contains("problem") && !answer.lines().value(0).contains("tid"), answer.out);
        QVERIFY2(answer.lines().value(1).contains(" [1]"), answer.out);
        QVERIFY2(answer.out.contains("\n\n[1] "), answer.out);
        QCOMPARE(answer.out.count("\n[1] "), 1);
        QVERIFY(heliograph({"flame", path("perf.data"), "--table", "--base", "thread", "--quiet"}).lines().value(0).contains("tid"));
    }

    void symbolsOfAnotherKernelAreNotUsedAndThatIsSaid()
    {
        QCOMPARE(table({}), "inner 3/3, middle 2/5, other 1/1, outer 0/6");

        const ProgramResult answer = heliograph({"flame", path("perf.data"), "--kallsyms", path("other")});

        QVERIFY2(!answer.out.contains("inner"), answer.out);
        QVERIFY2(answer.err.contains("other is from another kernel: its text is 0x910 bytes long, the recorded kernel's 0x900"),
                 answer.err);
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
        QTest::newRow("function") << QStringList{"--callees", "nosuch"} << QByteArray("--callees nosuch: no samples in such a function");
        QTest::newRow("callers") << QStringList{"--callers", "nosuch"} << QByteArray("--callers nosuch: no samples in such a function");
        QTest::newRow("focus") << QStringList{"--focus", "nosuch*"}
                               << QByteArray("--focus nosuch*: no samples in such a function or module");
        QTest::newRow("hide") << QStringList{"--hide", "nosuch"} << QByteArray("--hide nosuch: no samples in such a function");
        QTest::newRow("cpu") << QStringList{"--cpu", "7"} << QByteArray("--cpu 7: no samples of cpu-clock on this CPU");
        QTest::newRow("time") << QStringList{"--begin", "+10s"} << QByteArray("--begin: no samples of cpu-clock in this range");
    }
    void whatMatchesNothingIsSaid()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, said);

        const ProgramResult answer = flame(options);

        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.err.contains("heliograph: " + said), answer.err);
        QCOMPARE(answer.err.count('\n'), 1);
        QCOMPARE(flame(options + QStringList{"--quiet"}).err, QByteArray());
    }

    void aThreadOrProcessThatIsNotThereIsAnError_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("thread") << QStringList{"--thread", "99999"} << QByteArray("--thread 99999: no such thread");
        QTest::newRow("process") << QStringList{"--process", "nosuch"} << QByteArray("--process nosuch: no process had this name");
        QTest::newRow("folded") << QStringList{"--process", "nosuch", "--format", "folded"}
                                << QByteArray("--process nosuch: no process had this name");
        QTest::newRow("speedscope") << QStringList{"--process", "nosuch", "--format", "speedscope"}
                                    << QByteArray("--process nosuch: no process had this name");
    }
    void aThreadOrProcessThatIsNotThereIsAnError()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, said);

        const ProgramResult answer = flame(options);

        QCOMPARE(answer.status, 2);
        QVERIFY(answer.out.isEmpty());
        QVERIFY2(answer.err.contains("heliograph: " + said), answer.err);
    }

    /// Property: code of guests is named by the guests' symbols. `perf kvm --host --guest report` prints the same modules; for samples of a
    /// guest without a process ID, it also prints the same function names.
    void codeOfGuestsIsNamedByTheirOwnSymbols_data()
    {
        QTest::addColumn<int>("guest");
        QTest::addColumn<QString>("kallsyms");
        QTest::newRow("any guest") << 0 << "guest.txt";
        QTest::newRow("guest of a process") << 100 << "guest.txt";
        QTest::newRow("folder of guests") << 100 << "guests";
        QTest::newRow("no symbols") << 100 << QString();
    }
    void codeOfGuestsIsNamedByTheirOwnSymbols()
    {
        QFETCH(int, guest);
        QFETCH(QString, kallsyms);
        constexpr std::uint64_t Guest = 0xffffffff91000000;
        constexpr std::uint64_t Driver = 0xffffffffc0000000;
        MadePerfData made;
        MadeAttribute attribute;
        attribute.sampleType |= 0x20;
        made.addAttribute(attribute);
        const auto map = [&](std::uint16_t mode, int pid, std::uint64_t at, std::uint64_t reference, std::string_view name) {
            made.add(1, mode,
                     made.trailer(made.make().u32(std::uint64_t(pid)).u32(0).u64(at).u64(TextSize).u64(reference).text(name), 0, 0, 0, 0));
        };
        map(1, -1, Kernel, Kernel, "[kernel.kallsyms]_text");
        const std::string name = guest == 0 ? "[guest.kernel.kallsyms]" : "[guest.kernel.kallsyms." + std::to_string(guest) + ']';
        map(4, guest, Guest + 0x5000, Guest + 0x5000,
            name + "_text"); // Load address of the guest's kernel: 0x5000 bytes above the address in its symbol file.
        map(4, guest, Driver, 0, "[virtio_net]");
        const auto sample = [&](std::uint16_t mode, std::uint64_t marker, std::uint64_t at) {
            made.add(9, mode, made.make().u64(at).u32(100).u32(101).u64(1'000'000'000).u32(0).u32(0).u64(1).u64(2).u64(marker).u64(at));
        };
        for (int i = 0; i < 4; ++i)
            sample(4, -2176ull, Guest + 0x5310);
        for (int i = 0; i < 3; ++i)
            sample(4, -2176ull, Driver + 0x110);
        for (int i = 0; i < 2; ++i)
            sample(1, InKernel, Kernel + 0x310);
        sample(5, -2560ull, 0x7f0000001234);
        write(path("guest.data"), made.file());
        const QByteArray symbols = QByteArray("ffffffff91000000 T _text\nffffffff91000300 T guest_inner\nffffffff91000900 T _etext\n")
            + (guest == 0 ? "" : "ffffffff91000320 t hypercall_page\n") + "ffffffffc0000100 t start_xmit\t[virtio_net]\n";
        write(path("guest.txt"), symbols);
        QVERIFY(QDir(path("")).mkpath("guests/100/proc"));
        write(path("guests/100/proc/kallsyms"), symbols);

        QStringList options{"flame", path("guest.data"), "--kallsyms", path("kallsyms"), "--table", "--format", "csv", "--quiet"};
        const auto rows = [](const QStringList& command) {
            QStringList texts;
            for (const CsvRow& row : csvRows(heliograph(command)))
                texts << row["function"] + ' ' + row["module"] + ' ' + row["self_samples"];
            return texts.join(", ");
        };
        if (!kallsyms.isEmpty())
            options << "--guest-kallsyms" << path(kallsyms);
        const QString module = QString::fromStdString(name);
        const QString driver = "[virtio_net] 3";
        if (kallsyms.isEmpty())
            QVERIFY2(!rows(options).contains("guest_inner") && rows(options).contains("inner [kernel.kallsyms] 2"),
                     qPrintable(rows(options)));
        else
            // Symbols of another boot must not name code of kernel modules, because modules are loaded at other addresses at each boot.
            QVERIFY2(rows(options).startsWith("guest_inner " + module + " 4, "), qPrintable(rows(options)));
        QCOMPARE(rows(options).count(driver), 1);
        QVERIFY2(rows(options).contains("[guest.user] 1"), qPrintable(rows(options)));
        QCOMPARE(rows(options + QStringList{"--group", "module"}),
                 " " + module + " 4,  [virtio_net] 3,  [kernel.kallsyms] 2,  [guest.user] 1");
        QCOMPARE(rows(options + QStringList{"--group", "module", "--hide-module", "[guest*", "--hide-module", "[virtio*"}),
                 " [kernel.kallsyms] 2");
    }

    void placesOfSymbolsThatAreNotThereAreRefused()
    {
        for (const char* option : {"--symbols", "--sysroot", "--kallsyms", "--guest-kallsyms"}) {
            const ProgramResult answer = heliograph({"flame", path("perf.data"), option, "/nonexistent"});
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.contains("\"/nonexistent\""), answer.err);
        }
    }

    void optionsThatMatchSayNothing()
    {
        QCOMPARE(flame({"--thread", "7", "--cpu", "0", "--focus", "middle", "--begin", "+0s"}).err, QByteArray());
    }

    void aRecordingWithoutSamplesSaysSo()
    {
        MadePerfData empty;
        empty.addAttribute({});
        write(path("empty.data"), empty.file());

        const ProgramResult answer = heliograph({"flame", path("empty.data")});

        QVERIFY2(answer.err.contains("no samples"), answer.err);
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
        QVERIFY2(cut.contains("at offset 500: " + QByteArray::number(248 + size - 500) + " of " + QByteArray::number(size)
                              + " bytes are missing"),
                 cut);
    }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }

    ProgramResult flame(const QStringList& options) const
    {
        return heliograph(QStringList{"flame", path("perf.data"), "--kallsyms", path("kallsyms")} + options);
    }

    ProgramResult uneven(const QStringList& options) const
    {
        return heliograph(QStringList{"flame", path("uneven.data"), "--kallsyms", path("kallsyms"), "--quiet"} + options);
    }

    /// Lines of the function table as text, "function self/total".
    QString table(const QStringList& options) const
    {
        QStringList rows;
        for (const CsvRow& row : csvRows(flame(QStringList{"--table", "--format", "csv"} + options)))
            rows << row["function"] + ' ' + row["self_samples"] + '/' + row["total_samples"];
        return rows.join(", ");
    }

    QTemporaryDir m_folder;
};

HELIO_TEST(FlameMadeTest)
#include "tst_flame_made.moc"
