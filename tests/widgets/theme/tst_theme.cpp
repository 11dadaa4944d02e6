#include "tests/support/made_states.h"
#include "tests/support/test_program.h"
#include "widgets/theme/theme.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

using namespace helio;

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void everyRoleThatTheCodeNamesExists_data() { themes(); }
    void everyRoleThatTheCodeNamesExists()
    {
        QFETCH(int, kind);
        const Theme theme = Theme::make(Theme::Kind(kind));
        const QRegularExpression role(
            QStringLiteral("[\"@]((?:surface|text|ink|line|accent|cursor|range|brush|select|arrow|severity|mark|thread|"
                           "cpu|vm|path|disk|lock|freq|compare|diff|heat|flame|code|cat)\\.[a-z0-9.+-]+)(?=[\";, ])"));
        QStringList missing;
        QStringList files;
        for (const char* top : {"widgets", "core/analyses"}) {
            QDirIterator it(QStringLiteral(SOURCE_DIR "/%1").arg(top), {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext())
                files << it.next();
        }
        for (const QString& path : files) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            auto matches = role.globalMatch(QString::fromUtf8(file.readAll()));
            while (matches.hasNext()) {
                const QString name = matches.next().captured(1);
                if (!name.endsWith(QLatin1Char('.')) && !name.contains(QStringLiteral(".cpp")) && !name.endsWith(QStringLiteral(".h"))
                    && !theme.has(name))
                    missing << file.fileName() + QStringLiteral(": ") + name;
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
    }

    void bothThemesNameTheSameRoles()
    {
        QStringList dark = Theme::make(Theme::Kind::Dark).roles();
        QStringList light = Theme::make(Theme::Kind::Light).roles();
        dark.sort();
        light.sort();
        QCOMPARE(dark, light);
        QVERIFY(dark.size() > 150);
    }

    void textCanBeReadOnWhatItStandsOn_data() { themes(); }
    void textCanBeReadOnWhatItStandsOn()
    {
        QFETCH(int, kind);
        const Theme theme = Theme::make(Theme::Kind(kind));
        for (const char* surface :
             {"surface.window", "surface.header", "surface.panel", "surface.timeline", "surface.raised", "surface.group"}) {
            QVERIFY(contrast(theme.color("text.primary"), theme.color(surface)) >= 4.5);
            QVERIFY(contrast(theme.color("text.secondary"), theme.color(surface)) >= 4.5);
            QVERIFY(contrast(theme.color("text.hint"), theme.color(surface)) >= 3.0);
        }
        QVERIFY(contrast(theme.color("accent.ink"), theme.color("accent.fill")) >= 4.5);
        QVERIFY(contrast(theme.color("text.primary"), theme.color("surface.selected")) >= 4.5);
    }

    void labelsCanBeReadOnTheirBarsLitAndShaded_data() { themes(); }
    void labelsCanBeReadOnTheirBarsLitAndShaded()
    {
        QFETCH(int, kind);
        const Theme theme = Theme::make(Theme::Kind(kind));
        const StateSet threads =
            test::statesNamed("thread", {"running-user", "running-syscall", "page-fault", "running", "running-kernel"});
        const StateSet cpus = test::statesNamed("cpu", {"user", "syscall", "kernel", "softirq", "irq"});
        for (const StateSet& set : {threads, cpus}) {
            for (const StateAppearance& look : theme.looksOf(set)) {
                QVERIFY2(contrast(look.ink, look.color) >= 4.5, qPrintable(look.role));
                QVERIFY2(contrast(look.shadedInk, theme.shaded(look.color)) >= 4.5, qPrintable(look.role));
            }
        }
    }

    void barsStandOutFromTheGround_data() { themes(); }
    void barsStandOutFromTheGround()
    {
        QFETCH(int, kind);
        const Theme theme = Theme::make(Theme::Kind(kind));
        for (const char* state : {"running-user", "running-syscall", "interrupted", "wait-cpu", "preempted", "blocked"}) {
            const StateAppearance look = theme.lookOf(test::threadState(state));
            QVERIFY2(contrast(look.color, theme.color("surface.timeline")) >= 3.0, state);
        }
    }

    void aStateTakesTheColourThatItsStyleNames()
    {
        const Theme theme = Theme::make(Theme::Kind::Dark);
        StateKind state = test::threadState("waiting");
        QCOMPARE(theme.lookOf(state).color, theme.color("thread.unknown"));
        QVERIFY(theme.lookOf(state).isInactive());
        state.style.color = "#102030";
        QCOMPARE(theme.lookOf(state).color, QColor(0x10, 0x20, 0x30));
    }

    void aStateWithoutAStyleIsCalledByItsNameInAColourOfTheCategories()
    {
        const Theme theme = Theme::make(Theme::Kind::Dark);
        const StateAppearance look = theme.lookOf({"whatever", StateCategory::None, {}});
        QCOMPARE(look.words, QStringLiteral("whatever"));
        QCOMPARE(look.legend, QStringLiteral("whatever"));
        QVERIFY(look.role.startsWith("cat."));
        QCOMPARE(look.color, theme.color(look.role));
    }

    void statesNameRolesThatThemesHave_data() { themes(); }
    void statesNameRolesThatThemesHave()
    {
        QFETCH(int, kind);
        const Theme theme = Theme::make(Theme::Kind(kind));
        for (const StateSet* set :
             {&kernel::threadStates(), &kernel::cpuStates(), &kernel::cpuThreadStates(), &kernel::irqStates(), &kernel::softirqStates()})
            for (const StateKind& state : set->states)
                QVERIFY2(theme.has(QString::fromStdString(state.style.color)), state.style.color.c_str());
    }

    void aBrokenThemeIsRefused()
    {
        QVERIFY(!Theme::fromJson("[]", Theme::Kind::Dark));
        QVERIFY(!Theme::fromJson("{\"a\": \"no colour\"}", Theme::Kind::Dark));
        QVERIFY(Theme::fromJson("{\"a\": \"#80102030\"}", Theme::Kind::Dark));
    }

private:
    static void themes()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("dark") << int(Theme::Kind::Dark);
        QTest::newRow("light") << int(Theme::Kind::Light);
    }
};

HELIO_TEST(ThemeTest)
#include "tst_theme.moc"
