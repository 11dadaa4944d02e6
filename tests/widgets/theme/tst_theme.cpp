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
                           "cpu|vm|path|disk|freq|compare|diff|heat|flame|code|cat)\\.[a-z0-9.+-]+)(?=[\";, ])"));
        QStringList missing;
        QDirIterator it(QStringLiteral(SOURCE_DIR "/widgets"), {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
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
        const StateSet threads{"thread", {"running-user", "running-syscall", "page-fault", "running", "running-kernel"}};
        const StateSet cpus{"cpu", {"user", "syscall", "kernel", "softirq", "irq"}};
        for (const StateSet& set : {threads, cpus}) {
            for (const StateLook& look : theme.looksOf(set)) {
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
            const StateLook look = theme.lookOf("thread", state);
            QVERIFY2(contrast(look.color, theme.color("surface.timeline")) >= 3.0, state);
        }
    }

    void statesWithoutColoursOfTheirOwnTakeThoseOfTheTable()
    {
        const Theme theme = Theme::make(Theme::Kind::Dark);
        QCOMPARE(theme.lookOf("thread", "running-kernel").color, theme.color("thread.running-syscall"));
        QCOMPARE(theme.lookOf("thread", "running").color, theme.color("thread.running-user"));
        QCOMPARE(theme.lookOf("thread", "waiting").color, theme.color("thread.unknown"));
        QCOMPARE(theme.lookOf("cpu", "kernel").color, theme.color("cpu.syscall"));
        QVERIFY(theme.lookOf("mine", "whatever").color.isValid());
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
