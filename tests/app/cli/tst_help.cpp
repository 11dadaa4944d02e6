// Help of the commands: its lines, its examples, and suggestions for mistyped names.

#include "app/cli/command.h"
#include "app/cli/command_parser.h"
#include "app/cli/suggestion.h"
#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

using namespace helio;

namespace {

/// Splits an example line into arguments like a shell, without quotes, redirections and pipes.
std::vector<std::string> argumentsOf(const QString& line)
{
    static const QRegularExpression word("'([^']*)'|(\\S+)");
    std::vector<std::string> arguments;
    for (const auto& match : word.globalMatch(line)) {
        if (match.captured(2) == ">" || match.captured(2) == "<" || match.captured(2) == "|")
            break;
        arguments.push_back((match.captured(1) + match.captured(2)).toStdString());
    }
    return arguments;
}

} // namespace

class HelpTest : public QObject {
    Q_OBJECT

private slots:
    void anOptionIsExplainedInOneLine()
    {
        constexpr std::size_t MostLetters = 80;
        const CommandParser parser;
        std::vector<const CLI::App*> all = parser.app().get_subcommands({});
        all.push_back(&parser.app());
        int options = 0;
        for (const CLI::App* const command : all)
            for (const CLI::Option* const option : command->get_options([](const CLI::Option* it) { return !it->get_group().empty(); })) {
                const QString text = QString::fromStdString(option->get_description()).remove(" (repeatable)");
                const QByteArray where = QByteArray::fromStdString(command->get_name() + ' ' + option->get_name()) + ": " + text.toUtf8();
                QVERIFY2(!text.isEmpty() && std::size_t(text.size()) <= MostLetters && !text.contains('\n'), where);
                QVERIFY2((!text.endsWith('.') || text.endsWith("...")) && !text.contains("Unless given") && !text.contains("None here"),
                         where);
                QVERIFY2(text[0].isUpper() || text[0] == '`' || text.startsWith("svg: ") || text.startsWith("text"), where);
                ++options;
            }
        QVERIFY(options > 400);
    }

    void everyExampleIsRightUsage()
    {
        for (const Command* command : commands()) {
            const QStringList lines = QString(command->examples).split('\n', Qt::SkipEmptyParts);
            QVERIFY2(lines.size() >= 2, command->name);
            for (const QString& line : lines) {
                std::vector<std::string> arguments = argumentsOf(line);
                QVERIFY2(arguments.size() >= 2 && arguments[0] == "heliograph" && arguments[1] == command->name, qPrintable(line));
                CLI::App app;
                const auto call = addCommand(app, *command);
                std::reverse(arguments.begin() + 1, arguments.end());
                arguments.erase(arguments.begin());
                try {
                    app.parse(std::move(arguments));
                } catch (const CLI::ParseError& error) {
                    QFAIL(qPrintable(line + ": " + error.what()));
                }
                QVERIFY2(call->missing().empty(), qPrintable(line + ": " + QString::fromStdString(call->missing())));
                if (const auto read = call->read(); !read)
                    QFAIL(qPrintable(line + ": " + QString::fromStdString(read.error().what)));
            }
        }
    }

    void ownOptionsComeFirst()
    {
        const QByteArray help = heliograph({"latency", "--help"}).out;
        qsizetype at = 0;
        for (const char* heading : {"Arguments:", "Options:", "Selection:", "Output:", "Clocks:", "Symbols:", "Examples:"}) {
            const qsizetype next = help.indexOf(QByteArray("\n") + heading);
            QVERIFY2(next > at, heading);
            at = next;
        }
    }

    void theHelpOffersOnlyOptionsThatApply()
    {
        QVERIFY(!heliograph({"vm", "--help"}).out.contains("--filter"));
        QVERIFY(!heliograph({"critical-path", "--help"}).out.contains("--filter"));
        QVERIFY(!heliograph({"info", "--help"}).out.contains("--view"));
        // The command accepts --view without an effect, because related commands have this option.
        QCOMPARE(heliograph({"info", sampleTrace(), "--view", "resources"}).status, 0);
    }

    void aMistypedNameIsAnsweredWithTheNearest_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("option") << QStringList{"latency", sampleTrace(), "--histgram"}
                                << QByteArray("heliograph: unknown option --histgram; did you mean --histogram?\n"
                                              "Try: heliograph latency --help\n");
        QTest::newRow("option with a value") << QStringList{"latency", sampleTrace(), "--bucket=3"}
                                             << QByteArray("heliograph: unknown option --bucket; did you mean --buckets?\n"
                                                           "Try: heliograph latency --help\n");
        QTest::newRow("option like none") << QStringList{"latency", sampleTrace(), "--sideways"}
                                          << QByteArray("heliograph: unknown option --sideways\nTry: heliograph latency --help\n");
        QTest::newRow("option of the window") << QStringList{"--ofset", "x=1"}
                                              << QByteArray("heliograph: unknown option --ofset; did you mean --offset?\n"
                                                            "Try: heliograph --help\n");
        QTest::newRow("command") << QStringList{"latnecy", sampleTrace()}
                                 << QByteArray("heliograph: there is no trace or command \"latnecy\"; did you mean latency?\n"
                                               "Try: heliograph --help\n");
        QTest::newRow("begin of a command") << QStringList{"critical"}
                                            << QByteArray("heliograph: there is no trace or command \"critical\"; did you mean "
                                                          "critical-path?\nTry: heliograph --help\n");
        QTest::newRow("help") << QStringList{"help", "lattency"}
                              << QByteArray("heliograph: help: \"lattency\" is not a command; did you mean latency?\n"
                                            "Try: heliograph help --help\n");
    }
    void aMistypedNameIsAnsweredWithTheNearest()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, answer);
        const ProgramResult result = heliograph(arguments);
        QCOMPARE(result.err, answer);
        QCOMPARE(result.status, 2);
    }

    void suggestionsAreNear()
    {
        const std::vector<std::string> names{"events", "views", "view", "states", "stats"};
        QCOMPARE(findSuggestion("veiw", names), std::string("view")); // Two swapped letters count as one edit.
        QCOMPARE(findSuggestion("event", names), std::string("events"));
        QCOMPARE(findSuggestion("stat", names), std::string("stats"));
        QCOMPARE(findSuggestion("x", names), std::string());
        QCOMPARE(findSuggestion("kernel", names), std::string());
        QCOMPARE(findSuggestion(std::string(1000, 'e'), names), std::string());
        QCOMPARE(didYouMean("stat", names), std::string("; did you mean stats?"));
        QCOMPARE(didYouMean("kernel", names), std::string());
    }
};

HELIO_TEST(HelpTest)
#include "tst_help.moc"
