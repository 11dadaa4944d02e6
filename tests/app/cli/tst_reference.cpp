#include "app/cli/command.h"
#include "app/cli/command_parser.h"
#include "app/cli/manual/manual.h"
#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <QTextDocument>

using namespace helio;

namespace {

QByteArray readBytes(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Options that a command's help lists ("--by"), except --help.
QStringList optionsInHelp(const QByteArray& help)
{
    static const QRegularExpression option("^  (?:-., ?)?(--[a-z-]+)", QRegularExpression::MultilineOption);
    QStringList options;
    for (const auto& match : option.globalMatch(QString::fromUtf8(help)))
        options << match.captured(1);
    options.removeAll("--help");
    return options;
}

/// Makes a manual of one command with one option.
Manual makeManual(const OptionHelp& option, const std::string& text = {})
{
    Manual manual;
    manual.program = {"tool", "A tool", "tool\n", {{"Options", {{"--quiet", "", "Print nothing"}}}}, {}, {}, {}};
    manual.commands.push_back({"work", text, "tool work", {{"Options", {option}}}, {}, {}, {}});
    return manual;
}

QString plainText(const std::string& markdown)
{
    QTextDocument document;
    document.setMarkdown(QString::fromStdString(markdown));
    return document.toPlainText();
}

} // namespace

class ReferenceTest : public QObject {
    Q_OBJECT

private slots:
    void storedFilesAreWhatTheProgramPrints_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("file");
        test::addRow("guide", "markdown", "resources/guide/reference.md");
        test::addRow("man page", "man", "packaging/heliograph.1");
    }
    void storedFilesAreWhatTheProgramPrints()
    {
        QFETCH(QString, format);
        QFETCH(QString, file);
        const ProgramResult printed = heliograph({"help", "--format", format});
        QCOMPARE(printed.status, 0);
        const auto stored = readBytes(QStringLiteral(SOURCE_DIR "/") + file).split('\n');
        const auto lines = printed.out.split('\n');
        for (qsizetype i = 0; i < std::max(stored.size(), lines.size()); ++i)
            if (stored.value(i) != lines.value(i))
                QFAIL(qPrintable(
                    QString("%1:%2 differs from heliograph help --format %3; renew it: packaging/reference\n  stored:  %4\n  printed: %5")
                        .arg(file)
                        .arg(i + 1)
                        .arg(format, QString::fromUtf8(stored.value(i)), QString::fromUtf8(lines.value(i)))));
        QCOMPARE(stored.size(), lines.size());
    }

    void everyOptionOfEveryCommandIsInBoth()
    {
        const QString markdown = QString::fromUtf8(heliograph({"help", "--format", "markdown"}).out);
        const QString man = QString::fromUtf8(heliograph({"help", "--format", "man"}).out).remove('\\');
        QStringList missing;
        for (const Command* command : commands()) {
            const QString name = command->name;
            const qsizetype page = markdown.indexOf("\n### " + name + '\n'), manual = man.indexOf("\n.SS heliograph " + name + ' ');
            QVERIFY2(page > 0 && manual > 0, command->name);
            const QString inPage = markdown.mid(page, markdown.indexOf("\n##", page + 1) - page);
            const QString inManual = man.mid(manual, man.indexOf("\n.S", manual + 1) - manual);
            for (const QString& option : optionsInHelp(heliograph({name, "--help"}).out)) {
                if (!inPage.contains(QRegularExpression("(`|, )" + option + "[ `]")))
                    missing << "markdown: " + name + ' ' + option;
                if (!inManual.contains(QRegularExpression("(fB|, )" + option + "fR")))
                    missing << "man: " + name + ' ' + option;
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
    }

    void commonOptionsAreExplainedOnce()
    {
        const QByteArray markdown = heliograph({"help", "--format", "markdown"}).out;
        QCOMPARE(markdown.count("| `--store-dir DIR` |"), 1);
        QVERIFY(markdown.count("`--store-dir`") > 15);
        // The manual lists the option `--begin` at each command that has the option, because the program without a command does not have
        // it.
        QVERIFY(markdown.count("| `--begin T` |") > 5);
    }

    void theManPageHasNoWarnings()
    {
        const QString man = QStandardPaths::findExecutable("man");
        if (man.isEmpty())
            QSKIP("man is not installed");
        const ProgramResult shown = runTool(man, {"--warnings", "-l", SOURCE_DIR "/packaging/heliograph.1"}, plainEnvironment());
        QCOMPARE(shown.err, QByteArray());
        QCOMPARE(shown.status, 0);
        QVERIFY(shown.out.contains("EXIT STATUS"));
    }

    void signsOfMarkdownAreShownAsTheyAre()
    {
        const OptionHelp option{"--by", "A|B", "Group by *name*, <host> or a|b: `x_y`, [1], [a](b), see --no-sync"};
        const QString shown = plainText(writeMarkdown(makeManual(option, "Does # 1 _that_")));
        QVERIFY2(shown.contains("--by A|B\n"), qPrintable(shown));
        QVERIFY2(shown.contains("Group by *name*, <host> or a|b: x_y, [1], [a](b), see --no-sync"), qPrintable(shown));
        QVERIFY2(shown.contains("Does # 1 _that_"), qPrintable(shown));
    }

    void signsOfTroffAreShownAsTheyAre()
    {
        const OptionHelp option{"--by", "A", ".TH 'x' ~ ^ \\n -> -1"};
        const std::string page = writeManPage(makeManual(option));
        QVERIFY2(
            QByteArray::fromStdString(page).contains("\n.TP\n\\fB\\-\\-by\\fR \\fIA\\fR\n\\&.TH \\(aqx\\(aq \\(ti \\(ha \\en \\-> \\-1\n"),
            page.c_str());
    }

    void literalsAreBetweenBackticksOrNamesOfOptions()
    {
        const auto marked = [](std::string_view text) {
            std::string all;
            for (const TextSpan& span : splitLiterals(text))
                all += span.isLiteral ? '{' + span.text + '}' : span.text;
            return QByteArray::fromStdString(all);
        };
        QCOMPARE(marked("Use `a b`, --by-state=x or (--list)."), QByteArray("Use {a b}, {--by-state}=x or ({--list})."));
        QCOMPARE(marked("a -> b -- c, x--y, one `"), QByteArray("a -> b -- c, x--y, one `"));
    }

    void defaultsAndValuesAreShown()
    {
        CommandParser parser;
        int buckets = 20;
        std::vector<std::string> names;
        CLI::App* command = parser.app().add_subcommand("sort", "Sorts");
        command->add_option("-b,--buckets", buckets, "Count of parts")->type_name("N")->capture_default_str()->group("Output");
        command->add_option("NAME", names, "What to sort");
        const CommandHelp help = helio::makeManual(parser).commands.back();
        QCOMPARE(help.usage, std::string("heliograph sort [OPTIONS] [NAME...]"));
        QCOMPARE(help.groups.size(), std::size_t(2));
        QCOMPARE(help.groups[0].options[0].names, std::string("NAME..."));
        QCOMPARE(help.groups[1].name, std::string("Output"));
        QVERIFY((help.groups[1].options[0] == OptionHelp{"-b, --buckets", "N", "Count of parts [20]"}));
    }

    void helpOfACommandIsWhatItsOptionHelpPrints()
    {
        QCOMPARE(heliograph({"help"}).out, heliograph({"--help"}).out);
        QCOMPARE(heliograph({"help", "flame"}).out, heliograph({"flame", "--help"}).out);
        const ProgramResult unknown = heliograph({"help", "nonsense"});
        QCOMPARE(unknown.status, 2);
        QVERIFY(unknown.err.contains("\"nonsense\" is not a command"));
        QCOMPARE(heliograph({"help", "--format", "html"}).status, 2);
        QCOMPARE(heliograph({"help", "flame", "--format", "man"}).status, 2);
    }
};

HELIO_TEST(ReferenceTest)
#include "tst_reference.moc"
