// Option groups that commands share, and options of single commands. Property: an argument becomes a valid value, or an error that names
// the option.

#include "app/cli/command.h"
#include "app/cli/commands/compare_options.h"
#include "app/cli/commands/flame_options.h"
#include "app/cli/commands/latency_options.h"
#include "app/cli/commands/render_options.h"
#include "app/cli/selection/option_list.h"
#include "tests/app/cli/given.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace helio;
using helio::test::give;

namespace {

using Texts = std::vector<std::string>;

QByteArray errorOf(const Status& status) { return status ? QByteArray() : QByteArray::fromStdString(status.error().what); }

/// Error text of an option group that was filled through `add` and then read.
template <typename Group, typename Add> QByteArray errorOf(Group& group, const Add& add, const Texts& arguments)
{
    const auto parsed = test::parse([&](OptionList& list) { add(group, list); }, arguments);
    return parsed ? errorOf(group.read()) : errorOf(parsed);
}

void addSelection(SelectionOptions& group, OptionList& list) { group.addTo(list, RowFilterHelp); }

/// Parses `arguments` with the options of a command (type `Options`) and returns the error text; empty if there is no error.
template <typename Options> QByteArray errorOf(const Texts& arguments)
{
    Options options;
    return errorOf(give(options, arguments));
}

/// Options of a command that exists only in this test. The struct has the members that the options of Heliograph's own commands have:
/// addTo(), missing() and read().
struct GreetOptions {
    std::string name;
    bool isLoud = false;

    void addTo(OptionList& options)
    {
        options.value("--name", name, "NAME", "Who");
        options.flag("--loud", isLoud, "How");
    }
    std::string missing() const { return name.empty() ? "--name is missing" : ""; }
    Status read() { return name == "nobody" ? Status(Error{Error::Kind::Usage, "--name: nobody is there"}) : Done{}; }
};

int greet(const GreetOptions& options) { return int(options.name.size()) + (options.isLoud ? 100 : 0); }

} // namespace

class OptionGroupsTest : public QObject {
    Q_OBJECT

private slots:
    void aCommandIsItsOptionsAndItsFunction()
    {
        const Command command{1, "greet", "Greets", callOf<GreetOptions, greet>, "heliograph greet --name X\n"};
        const auto call = command.makeCall();
        QCOMPARE(call->missing(), std::string("--name is missing"));

        QVERIFY(bool(test::parse([&](OptionList& list) { call->addTo(list); }, {"--name", "world", "--loud"})));

        QCOMPARE(call->missing(), std::string());
        QVERIFY(bool(call->read()));
        QCOMPARE(call->run(), 105);
        // A new call of the command has its own options, without the values of the first call.
        QCOMPARE(command.makeCall()->missing(), std::string("--name is missing"));
    }

    void everyCommandOfTheShelfMakesItsCall()
    {
        for (const Command* command : commands()) {
            const auto call = command->makeCall();
            const std::string_view name = command->name;
            QVERIFY2(call->missing().empty() == (name == "analyses" || name == "plugins" || name == "help" || name == "record"),
                     command->name);
            if (name == "plugins" || name == "help" || name == "serve") // These commands have no options for reading traces.
                continue;
            QCOMPARE(errorOf(test::parse([&](OptionList& list) { call->addTo(list); }, {"--quiet"})), QByteArray());
            QCOMPARE(errorOf(call->read()), QByteArray());
        }
    }

    void aStepThatFailsIsTheLast()
    {
        int calls = 0;
        const auto done = [&] { return ++calls, Status(Done{}); };
        const auto fail = [&] { return ++calls, Status(Error{Error::Kind::Usage, "the second"}); };
        QCOMPARE(errorOf(runInOrder(done, fail, done)), QByteArray("the second"));
        QCOMPARE(calls, 2);
        QVERIFY(bool(runInOrder(done, done)));
    }

    void offsetsAreReadWithAndWithoutUnits()
    {
        ReadingOptions options;
        QCOMPARE(errorOf(give(options, {"--offset", "web=-5", "--offset", "/a=b/c=+7", "--offset", "db=1.5ms"})), QByteArray());

        QCOMPARE(options.experiment.offsets.at("web").count(), -5);
        QCOMPARE(options.experiment.offsets.at("/a=b/c").count(), 7);
        QCOMPARE(options.experiment.offsets.at("db").count(), 1'500'000);
        QCOMPARE(errorOf<ReadingOptions>({"--offset", "=3"}), QByteArray("--offset: \"=3\" is not TRACE=NANOSECONDS"));
        QCOMPARE(errorOf<ReadingOptions>({"--offset", "a=1x"}), QByteArray("--offset: \"1x\" is not a number of nanoseconds"));
    }

    void foldersAndFilesAreTakenAsTheyAreWritten()
    {
        const QTemporaryDir folder;
        const std::string blank = folder.filePath("one two").toStdString();
        QVERIFY(std::filesystem::create_directory(blank));
        ReadingOptions options;
        QCOMPARE(errorOf(give(options, {"--symbols", blank, "--symbols", ".", "--sysroot", "/", "--store-dir", "s", "--no-sync"})),
                 QByteArray());

        const std::vector<std::filesystem::path> folders{blank, "."};
        QVERIFY(options.experiment.symbols.directories == folders);
        QVERIFY(options.experiment.symbols.sysroot == "/" && options.experiment.storeDirectory == "s");
        QVERIFY(!options.experiment.synchronize && ReadingOptions().experiment.synchronize);
    }

    void aSelectionIsReadAsAWhole()
    {
        SelectionOptions options;
        QCOMPARE(
            errorOf(options, addSelection, {"--begin", "+1.5s", "--end", "7", "--filter", "tid == 3", "--thread", "12", "--row", "w*"}),
            QByteArray());

        QVERIFY((options.begin == TimeText{TimeText::Kind::FromStart, 1'500'000'000}));
        QVERIFY((options.end == TimeText{TimeText::Kind::Absolute, 7}));
        QVERIFY(options.filter && !options.filter->needsIntervals());
        QVERIFY(options.thread == 12 && !options.cpu);
        QCOMPARE(options.row, std::string("w*"));
        const SelectionOptions copy = options;
        QVERIFY(copy.begin == options.begin && copy.filter == options.filter);
    }

    void theFirstMistakeOfASelectionIsNamed()
    {
        SelectionOptions options;
        const QByteArray error = errorOf(options, addSelection, {"--filter", "cpu ==", "--end", "noon"});
        QVERIFY2(error.startsWith("--end: \"noon\" is not a time"), error);
    }

    void formatsAreThoseOfTheCommand()
    {
        FormatOptions options("greet", {"text", "json"});
        const auto add = [](FormatOptions& group, OptionList& list) { group.addTo(list); };
        QCOMPARE(errorOf(options, add, {"--json"}), QByteArray());
        QVERIFY(options.output == OutputFormat::Json && bool(options.check()));

        FormatOptions other("greet", {"text", "json"});
        QCOMPARE(errorOf(other, add, {"--format", "csv"}),
                 QByteArray()); // read() accepts every format that exists; check() reports a format that the command does not support.
        QVERIFY(other.output == OutputFormat::Csv);
        QCOMPARE(errorOf(other.check()), QByteArray("--format: \"csv\" is not a format of greet; supported: text and json"));
        QCOMPARE(errorOf(other.check("greet --all", {"svg"})),
                 QByteArray("--format: \"csv\" is not a format of greet --all; supported: svg"));

        FormatOptions both("greet");
        QCOMPARE(errorOf(both, add, {"--json", "--format", "csv"}), QByteArray("--json: --format csv contradicts it"));
        QCOMPARE(QByteArray::fromStdString(inWords({"a", "b", "c"}, "or")), QByteArray("a, b or c"));
    }

    void aTreeIsOfOneShape()
    {
        TreeOptions options;
        QVERIFY(bool(give(options, {"--callers", "read", "--base", "cpu", "--order", "name", "--hide", "a", "--hide", "b"})));
        QVERIFY(options.tree.shape == CallTreeOptions::Shape::Callers && options.tree.base == CallTreeOptions::Base::Cpu);
        QCOMPARE(options.tree.function, std::string("read"));
        QVERIFY((options.tree.hiddenFunctions == Texts{"a", "b"}));
        QVERIFY(options.hasOrder() && !TreeOptions().hasOrder());
        QVERIFY(options.by(WeightBy::Weight).by == WeightBy::Weight && options.by(WeightBy::Weight).function == "read");

        QCOMPARE(errorOf<TreeOptions>({"--inverted", "--callees", "f"}),
                 QByteArray("--inverted: use only one of --inverted, --callers and --callees"));
        QCOMPARE(errorOf<TreeOptions>({"--base", "shoe"}),
                 QByteArray("--base: \"shoe\" is not one of command, process, thread, cpu, none"));
    }

    void unitsOfWorkAreABasisOfTheirOwn()
    {
        DifferenceOptions options;
        QVERIFY(bool(give(options, {"--units-b", "2.5"})));
        QVERIFY(options.basis && options.basis->per == DifferenceBasis::Per::Unit);
        QVERIFY(bool(give(options = {}, {"--elided"})) && !options.basis && options.widths.keepsElided);
        QCOMPARE(errorOf<DifferenceOptions>({"--units-a", "2", "--per", "share"}),
                 QByteArray("--units-a, --units-b: only valid with --per unit; --per share has no units of work"));
    }

    void whatFlameShowsIsOneOfFive()
    {
        const auto shows = [](const Texts& arguments) {
            FlameOptions options;
            return give(options, arguments) ? int(options.shows) : -1;
        };
        QCOMPARE(shows({}), int(FlameOptions::Shows::Tree));
        QCOMPARE(shows({"--table", "--json"}), int(FlameOptions::Shows::Functions));
        QCOMPARE(shows({"--format", "table"}), int(FlameOptions::Shows::Functions));
        QCOMPARE(shows({"--format", "svg", "--table"}), int(FlameOptions::Shows::Svg));
        QCOMPARE(shows({"--format", "speedscope"}), int(FlameOptions::Shows::Speedscope));
        QCOMPARE(errorOf<FlameOptions>({"--title", "t"}), QByteArray("--title: only valid with --format svg"));
        QCOMPARE(errorOf<FlameOptions>({"--with", "cycles"}), QByteArray("--with: only valid with --table"));
        QCOMPARE(errorOf<FlameOptions>({"--format", "svg", "--width", "7"}),
                 QByteArray("--width: \"7\" is not a width in pixels from 200 to 100000"));
    }

    void whatCompareShowsIsOneOfFive()
    {
        const auto shows = [](const Texts& arguments) {
            CompareOptions options;
            return give(options, arguments) ? int(options.shows) : -1;
        };
        QCOMPARE(shows({}), int(CompareOptions::Shows::Breakdown));
        QCOMPARE(shows({"--functions"}), int(CompareOptions::Shows::Functions));
        QCOMPARE(shows({"--format", "folded"}), int(CompareOptions::Shows::Folded));
        QCOMPARE(shows({"--durations", "--format", "csv"}), int(CompareOptions::Shows::Durations));
        QCOMPARE(shows({"--durations", "--all"}), -1);
        QCOMPARE(CompareOptions().missing(), std::string("--a TRACE... or --b TRACE... is missing"));
    }

    void histogramsHaveAtLeastOneBucket()
    {
        LatencyOptions options;
        QVERIFY(bool(give(options, {"--of", "wakeup", "--histogram", "--buckets", "7", "--log"})));
        QVERIFY(options.shows == LatencyOptions::Shows::Histogram && options.buckets == 7 && options.isLogarithmic);
        QCOMPARE(errorOf<LatencyOptions>({"--histogram", "--buckets", "0"}), QByteArray("--buckets: must be at least 1"));
        QCOMPARE(errorOf<LatencyOptions>({"--log"}), QByteArray("--log: only valid with --histogram"));
    }

    void aPictureHasASizeThatItCanHave()
    {
        RenderOptions options;
        QVERIFY(bool(give(options, {"--view", "flame", "-o", "x.svg", "--size", "300x200", "--theme", "light"})));
        QVERIFY(options.isSizeChosen && options.width == 300 && options.height == 200 && options.theme == Theme::Kind::Light);
        QVERIFY(options.isSvg() && !options.isPng() && options.isFlameGraph());
        QCOMPARE(options.missing(), std::string("a TRACE is missing"));
        for (const char* size : {"9", "0x1", "1x", "16385x1", "ax1"})
            QVERIFY2(errorOf<RenderOptions>({"--size", size}).contains("is not WIDTHxHEIGHT in pixels, each from 1 to 16384"), size);
        QCOMPARE(errorOf<RenderOptions>({"--scale", "nan"}), QByteArray("--scale: expected a number from 0.25 to 8"));
    }
};

HELIO_TEST(OptionGroupsTest)
#include "tst_option_groups.moc"
