#include "tests/support/test_program.h"
#include "widgets/controls/palette_model.h"

#include <QTest>

using namespace helio;

namespace {

PaletteItem item(PaletteItem::Kind kind, const QString& text)
{
    PaletteItem it;
    it.kind = kind;
    it.text = text;
    return it;
}

QStringList shown(PaletteModel& model, const QString& text)
{
    model.setText(text);
    QStringList lines;
    for (int i = 0; i < model.rowCount(); ++i)
        lines << model.item(i)->text;
    return lines;
}

} // namespace

class PaletteModelTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_model.setMaker({});
        m_model.setItems({item(PaletteItem::Kind::Command, "Fit the whole experiment"), item(PaletteItem::Kind::Command, "Quit"),
                          item(PaletteItem::Kind::Row, "fio  42")});
    }

    void nothingTypedOffersAll() { QCOMPARE(shown(m_model, "").size(), 3); }

    void prefixesChooseTheKind()
    {
        QCOMPARE(shown(m_model, ">fi"), QStringList{"Fit the whole experiment"});
        QCOMPARE(shown(m_model, "@fi"), QStringList{"fio  42"});
        QCOMPARE(shown(m_model, ":fi"), QStringList{});
        QCOMPARE(shown(m_model, "fi").size(), 2);
    }

    void wordsOfTheTipAreFoundBehindNames()
    {
        PaletteItem durations = item(PaletteItem::Kind::Command, "Durations");
        durations.tip = "Durations (latencies) of states, segments and calls";
        PaletteItem mark = item(PaletteItem::Kind::Command, "Mark the chosen function on the rows");
        m_model.setItems({mark, durations, item(PaletteItem::Kind::Command, "Latch")});
        QCOMPARE(shown(m_model, "latenc"), QStringList{"Durations"});
        QCOMPARE(shown(m_model, "lat"), (QStringList{"Latch", "Durations"}));
        // Nothing matches: the typed text must begin a word of the tip, but "atenc" lies inside "latencies".
        QCOMPARE(shown(m_model, "atenc"), QStringList{});
        QCOMPARE(shown(m_model, "throttle"), QStringList{});
    }

    void whatCannotBeRunStandsBehindAllThatCan()
    {
        PaletteItem clocks = item(PaletteItem::Kind::Command, "Export clocks\u2026");
        PaletteItem session = item(PaletteItem::Kind::Command, "Open the last session");
        clocks.isEnabled = session.isEnabled = false;
        PaletteItem durations = item(PaletteItem::Kind::Command, "Durations");
        durations.tip = "Durations (latency) of states";
        m_model.setItems({clocks, session, item(PaletteItem::Kind::Command, "Picture for export"), durations});
        QCOMPARE(shown(m_model, "export"), (QStringList{"Picture for export", "Export clocks\u2026"}));
        QCOMPARE(shown(m_model, ">lat"), (QStringList{"Durations", "Open the last session"}));
    }

    void aWordOfTheTipCountsMoreThanScatteredLetters()
    {
        PaletteItem durations = item(PaletteItem::Kind::Command, "Durations");
        durations.tip = "Durations (latency) of states";
        m_model.setItems({item(PaletteItem::Kind::Command, "Show all attributes"), durations});
        QCOMPARE(shown(m_model, "lat").value(0), QString("Durations"));
    }

    void aThreadStandsBeforeWhatElseHasItsName()
    {
        PaletteItem thread = item(PaletteItem::Kind::Row, "worker-2  263");
        thread.isMain = true;
        m_model.setItems({}, std::make_shared<PaletteItems>(PaletteItems{item(PaletteItem::Kind::Row, "worker-2"), thread}));
        QCOMPARE(shown(m_model, "worker-2"), (QStringList{"worker-2  263", "worker-2"}));
    }

    void aFunctionIsFoundByAPartOfItsName()
    {
        const QString lengthy = "std::vector<" + QString(400, 'x') + ">::resize";
        m_model.setItems({item(PaletteItem::Kind::Command, "Quit")},
                         std::make_shared<PaletteItems>(PaletteItems{item(PaletteItem::Kind::Function, "app::parse_header"),
                                                                     item(PaletteItem::Kind::Function, lengthy)}));
        QCOMPARE(shown(m_model, "parse"), QStringList{"app::parse_header"});
        QCOMPARE(shown(m_model, "resize"), QStringList{lengthy});
        QCOMPARE(shown(m_model, "@parse"), QStringList{}); // Nothing matches, because "@" limits the search to rows, and "parse" is no row.
        QCOMPARE(shown(m_model, ">parse"), QStringList{});
    }

    void aCommandIsFoundByTheNameOfItsMenu()
    {
        PaletteItem dark = item(PaletteItem::Kind::Command, "Dark");
        dark.group = QStringLiteral("View \u203a Theme");
        m_model.setItems({item(PaletteItem::Kind::Command, "Quit"), dark}, {});
        QCOMPARE(shown(m_model, "theme"), QStringList{"Dark"});
        QCOMPARE(shown(m_model, "theme da"), QStringList{"Dark"});
        QCOMPARE(shown(m_model, "theme light"), QStringList{});
        QCOMPARE(shown(m_model, "@theme"), QStringList{});
    }

    void aTimeComesFirstAndASearchLast()
    {
        m_model.setMaker([](const QString&) {
            return std::vector<PaletteItem>{item(PaletteItem::Kind::Time, "time"), item(PaletteItem::Kind::Search, "search")};
        });

        const QStringList lines = shown(m_model, "fi");

        QCOMPARE(lines.front(), QString("time"));
        QCOMPARE(lines.back(), QString("search"));
    }

    void thousandsOfRowsAreCutButTheSearchStays()
    {
        std::vector<PaletteItem> items;
        for (int i = 0; i < 5000; ++i)
            items.push_back(item(PaletteItem::Kind::Row, QString("worker %1").arg(i)));
        m_model.setItems({}, std::make_shared<PaletteItems>(std::move(items)));
        m_model.setMaker([](const QString&) { return std::vector<PaletteItem>{item(PaletteItem::Kind::Search, "search")}; });

        const QStringList lines = shown(m_model, "work");

        QCOMPARE(lines.size(), 200);
        QCOMPARE(lines.back(), QString("search"));
    }

    void veryManyRowsAreMatchedOnAnotherThreadAndTheLatestTextWins()
    {
        PaletteItems items;
        for (int i = 0; i < 20000; ++i)
            items.push_back(item(PaletteItem::Kind::Row, QString("worker %1").arg(i)));
        m_model.setItems({item(PaletteItem::Kind::Command, "Work")}, std::make_shared<PaletteItems>(std::move(items)));
        QCOMPARE(shown(m_model, "work").front(), QString("Work"));
        QCOMPARE(shown(m_model, "@worker 19999").size(), 0);
        QTRY_COMPARE(m_model.rowCount(), 1);
        QCOMPARE(m_model.item(0)->text, QString("worker 19999"));
    }

private:
    PaletteModel m_model;
};

HELIO_TEST(PaletteModelTest)
#include "tst_palette_model.moc"
