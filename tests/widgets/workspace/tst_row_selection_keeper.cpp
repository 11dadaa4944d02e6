// Property: the selected row stays selected when the rows of virtual machines are computed again.

#include "core/experiment/correlation_cache.h"
#include "tests/core/correlators/machines/two_guests.h"
#include "tests/support/test_program.h"
#include "widgets/workspace/row_selection_keeper.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

std::shared_ptr<const Timeline> given(std::int32_t process)
{
    Both both;
    if (process > 0)
        both.made.assignGuest("a", {"nest", process});
    return std::make_shared<const Timeline>(both.made.withRows());
}

/// Returns the timeline without the rows of virtual machines.
std::shared_ptr<const Timeline> withoutRows(const Timeline& timeline)
{
    auto bare = std::make_shared<Timeline>(timeline);
    for (TimelineStore& it : bare->stores)
        if (it.isOfAll)
            it = {it.trace};
    bare->relations[*bare->correlatorRegistry->find("machines")] = nullptr;
    return bare;
}

} // namespace

class KeptRowTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_context = std::make_unique<ViewContext>();
        m_kept = std::make_unique<RowSelectionKeeper>(*m_context);
        m_context->setTimeline(given(0));
    }
    void cleanup() { m_kept.reset(); }

    /// Input: guest a gets another process, so that rows have other indexes. Property: the row with the same id is selected.
    void theRowWithTheSameIdIsSelected()
    {
        const TrackRef before = select("vm:a/vcpu:0");
        m_context->setTimeline(given(11));
        QCOMPARE(selected(), "vm:a/vcpu:0");
        QVERIFY(m_context->time().row() != before);
        m_context->setTimeline(given(0));
        QVERIFY(m_context->time().row() == before);
    }

    void theRowThatShowsTheSameIsSelectedWhereTheIdIsGone()
    {
        select("vm:b/vcpu:0"); // Selects the vCPU that thread 21 runs.
        m_context->setTimeline(given(11));
        QCOMPARE(selected(), "vm:a/vcpu:0");
        m_context->setTimeline(given(0));
        select("vm:b");
        QCOMPARE(selected(), "vm:b");
        m_context->setTimeline(given(11));
        QCOMPARE(selected(), "");
        QVERIFY(!m_context->time().row().isValid());
    }

    /// Property: the selection returns when the rows of virtual machines exist again, after the clocks are set.
    void itComesBackWithTheRows()
    {
        select("vm:b/tid:8");
        const auto after = given(10);
        auto bare = std::make_shared<Timeline>(*withoutRows(*after));
        bare->answers = std::make_shared<CorrelationCache>();
        m_context->setTimeline(bare);
        QVERIFY(!m_context->time().row().isValid());
        m_context->setTimeline(after);
        QCOMPARE(selected(), "vm:b/tid:8");
    }

    void whatWasSelectedMeanwhileStays()
    {
        select("vm:b/tid:8");
        const auto after = given(10);
        auto bare = std::make_shared<Timeline>(*withoutRows(*after));
        bare->answers = std::make_shared<CorrelationCache>();
        m_context->setTimeline(bare);
        const TrackRef cpu = recordedRow(*after, cpus(*after), "nest", "cpu:1");
        m_context->time().setRow(cpu);
        m_context->setTimeline(after);
        QVERIFY(m_context->time().row() == cpu);
    }

    /// Property: a selected row that was recorded in a trace stays selected when the timeline changes. Only rows of virtual machines get
    /// new indexes.
    void rowsOfTracesAreLeftAlone()
    {
        const TrackRef cpu = recordedRow(*m_context->timeline(), cpus(*m_context->timeline()), "nest", "cpu:1");
        m_context->time().setRow(cpu);
        m_context->setTimeline(given(11));
        QVERIFY(m_context->time().row() == cpu);
        m_context->setTimeline({});
        m_context->setTimeline(given(0));
        QVERIFY(m_context->time().row() == cpu);
    }

private:
    TrackRef select(const std::string& id)
    {
        m_context->time().setRow(rowNamed(*m_context->timeline(), "vm", id));
        return m_context->time().row();
    }
    std::string selected() const
    {
        for (const Row& row : rows(*m_context->timeline(), "vm"))
            if (row.ref.isValid() && row.ref == m_context->time().row())
                return row.id;
        return {};
    }

    std::unique_ptr<ViewContext> m_context;
    std::unique_ptr<RowSelectionKeeper> m_kept;
};

HELIO_TEST(KeptRowTest)
#include "tst_row_selection_keeper.moc"
