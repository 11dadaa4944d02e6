// A thread's samples as intervals over time. Property: a frame continues if the following sample has the same frame, else it ends.

#include "core/correlators/sampled_stacks/stack_rows.h"
#include "tests/support/made_states.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <initializer_list>
#include <sstream>

using namespace helio;
using sampled_stacks::SampledFrame;
using sampled_stacks::StackRows;

namespace {

constexpr Duration Period{100};

/// A thread to which the test adds samples. Numbers stand for its functions.
class MadeThread {
public:
    MadeThread()
    {
        Track thread;
        thread.view = "stacks";
        thread.key = "samples:7";
        thread.states = *m_builder->stateSet(sampled_stacks::stackStates());
        thread.tid = 7;
        m_stack.emplace(m_builder->addTrack(std::move(thread)), hostTime(0), *m_builder, m_rows);
    }

    MadeThread& sample(std::int64_t at, std::initializer_list<std::uint32_t> functions, bool isCut = false)
    {
        std::vector<SampledFrame> frames;
        StackId caller = NoStack;
        for (const std::uint32_t function : functions) {
            // Gives each call its own call site.
            caller = m_builder->stacks().stack(caller, {UnknownModule, true, function * 1000 + ++m_places});
            frames.push_back({function, false, caller});
        }
        m_stack->take(hostTime(at), frames, Period, isCut);
        return *this;
    }

    /// Adds a sample of function 1 that covers the time from `at` on.
    MadeThread& forward(std::int64_t at, std::int64_t period)
    {
        const SampledFrame frame{1, false, m_builder->stacks().stack(NoStack, {UnknownModule, true, 1000})};
        m_stack->takeForward(hostTime(at), std::span(&frame, 1), Duration(period), false);
        return *this;
    }

    MadeThread& leaveCpu()
    {
        m_stack->leaveCpu();
        return *this;
    }

    /// Intervals of a depth as text: "FUNCTION BEGIN-END", separated by ", "; with "!" if truncated.
    QString bars(std::uint32_t depth)
    {
        const Store& store = finished();
        std::ostringstream text;
        if (depth >= store.tracks().size())
            return {};
        for (const HostInterval& it : store.intervals(TrackId{depth}, {hostTime(0), hostTime(10'000)}))
            text << (text.tellp() > 0 ? ", " : "") << store.stacks().nodes()[it.value].frame().address / 1000 << ' '
                 << nanoseconds(it.range.begin) << '-' << nanoseconds(it.range.end)
                 << (it.state == State{sampled_stacks::SampledCut} ? "!" : "");
        return QString::fromStdString(text.str());
    }

    const Store& finished()
    {
        if (!m_store) {
            m_stack->finish();
            StoreSummary summary;
            summary.range = {hostTime(0), hostTime(10'000)};
            m_store = *m_builder->finish(summary);
        }
        return *m_store;
    }

private:
    std::unique_ptr<StoreBuilder> m_builder = makeUnnamedStoreBuilder(hostTime(0));
    std::size_t m_rows = 0;
    std::uint32_t m_places = 0;
    std::optional<StackRows> m_stack;
    std::shared_ptr<const Store> m_store;
};

} // namespace

class StackRowsTest : public QObject {
    Q_OBJECT

private slots:
    void theSameFunctionsAreOneBar()
    {
        MadeThread thread;
        thread.sample(1000, {1, 2, 3}).sample(1100, {1, 2, 4}).sample(1190, {1, 2, 4}).sample(1300, {1, 5});
        QCOMPARE(thread.bars(1), QString("1 901-1301"));
        QCOMPARE(thread.bars(2), QString("2 901-1191, 5 1191-1301"));
        QCOMPARE(thread.bars(3), QString("3 901-1001, 4 1001-1191"));
    }

    void aForwardSampleCoversTheTimeAfterIt()
    {
        MadeThread thread;
        thread.forward(1000, 50).forward(1050, 1000).forward(3000, 0).forward(3000, 100);
        QCOMPARE(thread.bars(1), QString("1 1000-2050, 1 3000-3100"));
    }

    void theSameFunctionBelowAnotherIsAnother()
    {
        MadeThread thread;
        thread.sample(1000, {1, 2, 3}).sample(1100, {1, 4, 3});
        QCOMPARE(thread.bars(3), QString("3 901-1001, 3 1001-1101"));
    }

    void aSampleStandsForThePeriodBeforeItWhereNoOtherCame()
    {
        MadeThread thread;
        thread.sample(1000, {1}).sample(1200, {1}).sample(1401, {1}); // A gap of two periods is bridged, a longer one is not.
        QCOMPARE(thread.bars(1), QString("1 901-1201, 1 1302-1402"));
    }

    void nothingGoesOnWhileAnotherHasTheCpu()
    {
        MadeThread thread;
        thread.sample(1000, {1}).leaveCpu().sample(1200, {1}).sample(1300, {1});
        QCOMPARE(thread.bars(1), QString("1 901-1001, 1 1101-1301"));
    }

    void aSampleAtTheBeginIsABar()
    {
        MadeThread thread;
        thread.sample(0, {1}).sample(100, {2});
        QCOMPARE(thread.bars(1), QString("1 0-1, 2 1-101"));
    }

    void aSampleWithoutFramesEndsAll()
    {
        MadeThread thread;
        thread.sample(1000, {1, 2}).sample(1050, {}).sample(1100, {1});
        QCOMPARE(thread.bars(1), QString("1 901-1001, 1 1051-1101"));
        QCOMPARE(thread.bars(2), QString("2 901-1001"));
    }

    void whatHasLostItsCallersIsMarkedAndAlone()
    {
        MadeThread thread;
        thread.sample(1000, {2, 3}).sample(1100, {2, 3}, true).sample(1200, {2, 3}, true);
        QCOMPARE(thread.bars(1), QString("2 901-1001, 2 1001-1201!"));
        QCOMPARE(thread.bars(2), QString("3 901-1001, 3 1001-1201"));
    }

    void deepStacksAndRecursionKeepTheirDepths()
    {
        MadeThread thread;
        thread.sample(1000, {1, 1, 1}).sample(1100, {1, 1}).sample(1200, {1, 1, 1});
        QCOMPARE(thread.bars(2), QString("1 901-1201"));
        QCOMPARE(thread.bars(3), QString("1 901-1001, 1 1101-1201"));
        const Track& depth = thread.finished().tracks()[3];
        QCOMPARE(QString::fromStdString(depth.key), QString("samples:7/3"));
        QCOMPARE(int(depth.valueKind), int(ValueKind::Frame));
        QCOMPARE(depth.tid, 7);
    }
};

HELIO_TEST(StackRowsTest)
#include "tst_stack_rows.moc"
