// The dock "What stands out": it lists findings and leads to their occurrences. Input: a simulated scheduler that keeps a thread waiting.

#include "core/query/rows/facts.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/simulated_scheduling.h"
#include "tests/support/test_program.h"
#include "widgets/docks/findings/finding_card.h"
#include "widgets/docks/findings/findings_view.h"
#include "widgets/theme/themes.h"

#include <QApplication>
#include <QComboBox>
#include <QEnterEvent>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

/// Returns the opened recording of a simulation in a folder.
std::unique_ptr<test::OpenedExperiment> opened(const test::Simulation& simulation, const QTemporaryDir& folder)
{
    if (!test::writeScheduling(folder.filePath("trace"), simulation.events(), false))
        qFatal("not written");
    return std::make_unique<test::OpenedExperiment>(
        std::vector<std::filesystem::path>{std::filesystem::path(folder.filePath("trace").toStdString())});
}

} // namespace

class FindingsViewTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_context = std::make_unique<ViewContext>();
        m_view = std::make_unique<FindingsView>(*m_context);
        m_view->resize(420, 600);
        m_view->show();
    }
    void cleanup()
    {
        m_view.reset();
        m_context.reset();
    }

    void findingsLeadToTheirOccurrences()
    {
        const QTemporaryDir folder;
        const auto recording = opened({.seed = 3, .longWait = 40 * test::Simulation::Ms}, folder);
        show(*recording);
        QCOMPARE(cards().size(), 1);
        FindingCard& card = *cards().front();
        QVERIFY(!card.isSelected());

        m_view->follow(0);

        QVERIFY(card.isSelected());
        const Evidence& evidence = card.finding().evidence.front();
        QCOMPARE(m_context->time().selection(), evidence.range);
        QCOMPARE(m_context->time().row(), evidence.row);
        QVERIFY(evidence.range.contains(m_context->time().cursor()));
        const auto marks = m_context->findingMarks();
        QVERIFY(marks);
        QCOMPARE(marks->rank, 1);
        QCOMPARE(marks->ranges, std::vector<TimeRange>{evidence.range});
        QVERIFY(marks->rows.contains(evidence.row));
        QVERIFY2(marks->text.startsWith("Finding 1: 1 ×, 4"), qPrintable(marks->text));
        QVERIFY(m_view->plainText().startsWith("1. 1 of "));
        QCOMPARE(m_view->shownCommand().words, QStringList{"findings"});
    }

    void occurrencesAreStepped()
    {
        const QTemporaryDir folder;
        const auto recording = opened({.cpus = 2, .threads = 8, .runMs = 3, .sleepMs = 8, .length = 8'000 * test::Simulation::Ms}, folder);
        show(*recording);
        FindingCard* several = nullptr;
        for (FindingCard* const card : cards())
            if (card->finding().evidence.size() > 2)
                several = card;
        QVERIFY(several);
        QTest::keyClick(several, Qt::Key_Right);
        QTest::keyClick(several, Qt::Key_Right);
        QTest::keyClick(several, Qt::Key_Left);
        QCOMPARE(several->step(), std::size_t(1));
        QCOMPARE(m_context->time().selection(), several->finding().evidence[1].range);
        QTest::keyClick(several, Qt::Key_Left);
        QTest::keyClick(several, Qt::Key_Left); // There is no earlier one.
        QCOMPARE(several->step(), std::size_t(0));
    }

    void marksGoWithTheSelection()
    {
        const QTemporaryDir folder;
        const auto recording = opened({.seed = 3, .longWait = 40 * test::Simulation::Ms}, folder);
        show(*recording);
        FindingCard& card = *cards().front();
        QTest::keyClick(&card, Qt::Key_Space);
        QVERIFY(card.isSelected() && m_context->findingMarks());
        QTest::keyClick(&card, Qt::Key_Space);
        QVERIFY(!card.isSelected() && !m_context->findingMarks());
        QTest::keyClick(&card, Qt::Key_Space);
        m_context->setFindingMarks(nullptr); // The window does this when the user presses Esc.
        QVERIFY(!card.isSelected());
    }

    /// Property: the selected finding stays selected when findings are listed again, for example in another theme.
    void selectionsSurviveNewResults()
    {
        const QTemporaryDir folder;
        const auto recording = opened({.seed = 3, .longWait = 40 * test::Simulation::Ms}, folder);
        show(*recording);
        m_view->select(0);
        const Theme::Kind before = theme().kind();
        Themes::instance().setTheme(before == Theme::Kind::Dark ? Theme::Kind::Light : Theme::Kind::Dark);
        QVERIFY(visibleCards().front()->isSelected());
        Themes::instance().setTheme(before);
    }

    /// Property: while the pointer is over the list, findings stay where they are and new ones come last; then the ranks decide.
    void ranksDecideOnceThePointerLeft()
    {
        const QTemporaryDir folder;
        const auto recording =
            opened({.cpus = 2, .threads = 5, .runMs = 2, .sleepMs = 0.2, .longWait = 200 * test::Simulation::Ms}, folder);
        auto* const page = m_view->findChild<ScrollPage*>();
        QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
        QApplication::sendEvent(page, &enter);
        show(*recording);
        QVERIFY(m_view->findings()->all.size() > 1);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(page, &leave);
        page->content()->activate();
        QList<FindingCard*> shown = visibleCards();
        QCOMPARE(shown.size(), qsizetype(m_view->findings()->all.size()));
        std::ranges::sort(shown, {}, &QWidget::y);
        QVERIFY(std::ranges::is_sorted(shown, std::ranges::greater(), [](const FindingCard* it) { return it->finding().explained; }));
    }

    void processesOfFindingsCanBeChosen()
    {
        const QTemporaryDir folder;
        const auto recording = opened({.seed = 3, .longWait = 40 * test::Simulation::Ms}, folder);
        show(*recording);
        QComboBox& scope = *m_view->findChild<QComboBox*>();
        QCOMPARE(scope.count(), 3);
        QCOMPARE(scope.itemText(2), QString("t101 (101)"));
        scope.setCurrentIndex(2);
        QTRY_VERIFY(m_view->findings() && !m_view->isBusy());
        QCOMPARE(m_view->findings()->all.size(), std::size_t(1));
        QCOMPARE(m_view->shownCommand().words, (QStringList{"findings", "--process", "t101"}));
    }

    void searchesCanBeCancelledAndContinued()
    {
        const QTemporaryDir folder;
        const auto recording = opened({.seed = 3, .longWait = 40 * test::Simulation::Ms}, folder);
        m_context->time().setFull(rangeOf(*recording->timeline));
        m_context->setTimeline(recording->timeline);
        QPushButton* const button = buttonWith("Cancel");
        QVERIFY(button && button->isVisible());
        button->click();
        QVERIFY(!m_view->isBusy());
        QCOMPARE(button->text(), QString("Continue"));
        button->click();
        QTRY_VERIFY(m_view->findings() && !m_view->isBusy());
        QCOMPARE(cards().size(), 1);
        QVERIFY(!button->isVisible());
    }

    void commandsForMissingEventsAreShownOnDemand()
    {
        const QTemporaryDir folder;
        const auto recording = opened({.seed = 3}, folder);
        show(*recording);
        const auto linkIn = [&]() -> QLabel* {
            for (QLabel* const label : m_view->findChildren<QLabel*>())
                if (label->isVisibleTo(m_view.get()) && label->text().contains("finders need events that were not recorded."))
                    return label;
            return nullptr;
        };
        QVERIFY(linkIn() && linkIn()->text().contains("Show commands"));
        const auto has = [&](const QString& part) {
            return std::ranges::any_of(m_view->findChildren<QLabel*>(), [&](const QLabel* it) { return it->text().contains(part); });
        };
        QVERIFY(!has("lttng "));
        emit linkIn()->linkActivated("commands");
        QVERIFY(has("lttng "));
    }

    void onlyTheSelectedRangeCounts()
    {
        const QTemporaryDir folder;
        const auto recording = opened({.seed = 3, .longWait = 40 * test::Simulation::Ms}, folder);
        show(*recording);
        const TimeRange wait = cards().front()->finding().evidence.front().range;
        const Timestamp begin = rangeOf(*recording->timeline).begin;
        QComboBox& scope = *m_view->findChild<QComboBox*>();
        scope.setCurrentIndex(1);
        QVERIFY(!m_view->findings()); // Nothing is selected.
        m_context->time().setSelection({begin, wait.begin});
        QTRY_VERIFY(m_view->findings() && !m_view->isBusy());
        QCOMPARE(m_view->findings()->all.size(), std::size_t(0));
        const TimeRange around{wait.begin - std::chrono::milliseconds(100), wait.end + std::chrono::milliseconds(100)};
        m_context->time().setSelection(around);
        QTRY_VERIFY(!m_view->isBusy());
        QStringList found;
        for (const Finding& it : m_view->findings()->all)
            found << QString::fromStdString(it.text);
        QVERIFY2(found.size() == 1, qPrintable(found.join(u'\n')));
        // A finding of the selection keeps it: another selection would replace the finding.
        m_view->follow(0);
        QCOMPARE(m_context->time().selection(), around);
        QVERIFY(wait.contains(m_context->time().cursor()));
        QVERIFY(m_view->shownCommand().words.contains("--begin"));
    }

    void quietRecordingsSaySo()
    {
        const QTemporaryDir folder;
        const auto recording = opened({.seed = 3}, folder);
        show(*recording);
        QVERIFY(cards().isEmpty());
        QStringList texts;
        for (const QLabel* const label : m_view->findChildren<QLabel*>())
            texts << label->text();
        QVERIFY(texts.contains("Nothing stands out"));
        QVERIFY(texts.contains("No events were lost."));
    }

private:
    void show(const test::OpenedExperiment& recording)
    {
        m_context->time().setFull(rangeOf(*recording.timeline));
        m_context->setTimeline(recording.timeline);
        QTRY_VERIFY(m_view->findings() && !m_view->isBusy());
    }
    QList<FindingCard*> cards() const { return m_view->findChildren<FindingCard*>(); }
    QList<FindingCard*> visibleCards() const
    {
        QList<FindingCard*> visible = cards();
        visible.removeIf([](const FindingCard* it) { return !it->isVisible(); });
        return visible;
    }
    QPushButton* buttonWith(const QString& text) const
    {
        for (QPushButton* const button : m_view->findChildren<QPushButton*>())
            if (button->text() == text)
                return button;
        return nullptr;
    }

    std::unique_ptr<ViewContext> m_context;
    std::unique_ptr<FindingsView> m_view;
};

HELIO_TEST(FindingsViewTest)
#include "tst_findings_view.moc"
