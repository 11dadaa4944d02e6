// Property: an analysis does not receive events of types for which takes() is false, and its results do not depend on them.

#include "core/experiment/event_consumers.h"
#include "tests/core/experiment/store_files.h"
#include "tests/support/fake_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

using namespace helio;

namespace {

/// An analysis whose takes() accepts only the given event types.
class Choosy final : public Analysis {
public:
    explicit Choosy(std::set<std::size_t> types)
        : m_types(std::move(types))
    {
    }
    bool takes(EventTypeId type) const override { return m_types.contains(static_cast<std::size_t>(type)); }
    void begin(HostTimestamp) override { }
    void onEvents(const EventRun&) override { }
    void onLoss(const Loss&) override { }
    void finish(HostTimestamp) override { }

private:
    std::set<std::size_t> m_types;
};

/// Events that ForwardingAnalysis passes to the wrapped analysis: all events in batches, or one by one only the events that the analysis
/// takes.
enum class PassedEvents { All, OnlyWanted };

/// Wraps an analysis. Passes it all events in batches (PassedEvents::All), or one by one only those that it takes
/// (PassedEvents::OnlyWanted).
class ForwardingAnalysis final : public Analysis {
public:
    ForwardingAnalysis(std::unique_ptr<Analysis> other, PassedEvents passed)
        : m_other(std::move(other))
        , m_passed(passed)
    {
    }
    void begin(HostTimestamp at) override { m_other->begin(at); }
    void onEvents(const EventRun& run) override
    {
        if (m_passed == PassedEvents::All)
            return m_other->onEvents(run);
        for (const EventRecord& record : run.records)
            if (m_other->takes(record.type))
                m_other->onEvents({{&record, 1}, run.packet, run.stream, true});
    }
    void onLossBegin(const Loss& loss) override { m_other->onLossBegin(loss); }
    void onLoss(const Loss& loss) override { m_other->onLoss(loss); }
    void finish(HostTimestamp at) override { m_other->finish(at); }
    std::vector<Diagnostic> diagnostics() override { return m_other->diagnostics(); }

private:
    std::unique_ptr<Analysis> m_other;
    const PassedEvents m_passed;
};

class ForwardingAnalysisKind final : public AnalysisKind {
public:
    ForwardingAnalysisKind(std::shared_ptr<const AnalysisKind> other, PassedEvents passed)
        : m_other(std::move(other))
        , m_passed(passed)
    {
    }
    std::string_view id() const override { return m_other->id(); }
    int version() const override { return m_other->version(); }
    std::span<const std::string_view> needs() const override { return m_other->needs(); }
    std::span<const std::string_view> uses() const override { return m_other->uses(); }
    bool usesThreadEnds() const override { return m_other->usesThreadEnds(); }
    std::span<const std::string_view> yieldsTo() const override { return m_other->yieldsTo(); }
    std::span<const TrackView> views() const override { return m_other->views(); }
    bool appliesTo(const Trace& trace) const override { return m_other->appliesTo(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<ForwardingAnalysis>(m_other->make(input, sink), m_passed);
    }

private:
    std::shared_ptr<const AnalysisKind> m_other;
    const PassedEvents m_passed;
};

std::shared_ptr<const Analyses> forwardingAnalyses(PassedEvents passed)
{
    auto all = std::make_shared<Analyses>();
    for (const auto& kind : Analyses::builtin()->all())
        if (!all->add(std::make_shared<ForwardingAnalysisKind>(kind, passed)))
            return nullptr;
    return all;
}

} // namespace

class TestEventTakers : public QObject {
    Q_OBJECT

private slots:
    void aRunIsForWhoeverTakesAnyOfItsEvents()
    {
        const test::FakeTrace trace({}, {"a", "b", "c"}, {});
        std::vector<std::unique_ptr<Analysis>> analyses;
        for (const std::set<std::size_t>& types : {std::set<std::size_t>{0}, {1, 2}, {}, {0, 1, 2}})
            analyses.push_back(std::make_unique<Choosy>(types));
        const EventConsumers consumers(trace, analyses);

        QCOMPARE(consumersOf(consumers, {0, 0}, 4), (std::vector{true, false, false, true}));
        QCOMPARE(consumersOf(consumers, {2}, 4), (std::vector{false, true, false, true}));
        QCOMPARE(consumersOf(consumers, {2, 0, 2}, 4), (std::vector{true, true, false, true}));
    }

    void nobodyIsLeftOutWhereAllTakeAll()
    {
        const test::FakeTrace trace({}, {"a"}, {});
        std::vector<std::unique_ptr<Analysis>> analyses;
        analyses.push_back(std::make_unique<Choosy>(std::set<std::size_t>{0}));
        analyses.push_back(std::make_unique<Choosy>(std::set<std::size_t>{0}));

        QCOMPARE(consumersOf(EventConsumers(trace, analyses), {0}, 2), (std::vector{true, true}));
    }

    void thoseBeyondTheBitsAreTakenTogether()
    {
        const test::FakeTrace trace({}, {"a", "b"}, {});
        std::vector<std::unique_ptr<Analysis>> analyses;
        for (std::size_t i = 0; i < 70; ++i)
            analyses.push_back(std::make_unique<Choosy>(std::set<std::size_t>{i == 69 ? std::size_t(1) : 0}));
        const EventConsumers consumers(trace, analyses);

        const std::vector<bool> ofB = consumersOf(consumers, {1}, 70);
        QVERIFY(!ofB[0] && !ofB[62] && ofB[63] && ofB[69]);
    }

    void whatIsNotHandedToAnAnalysisChangesNothing_data() { addTraceFolders(); }

    void whatIsNotHandedToAnAnalysisChangesNothing()
    {
        QFETCH(QString, path);
        const auto ofAll = forwardingAnalyses(PassedEvents::All), ofWanted = forwardingAnalyses(PassedEvents::OnlyWanted);
        QVERIFY(ofAll && ofWanted);
        checkTraces(path, [&](const std::shared_ptr<const Trace>& trace) {
            const Files files = storesOf(trace, Analyses::builtin());
            QVERIFY(!files.empty());
            QVERIFY(storesOf(trace, ofAll) == files);
            QVERIFY(storesOf(trace, ofWanted) == files);
        });
    }

private:
    static std::vector<bool> consumersOf(const EventConsumers& consumers, std::initializer_list<std::uint32_t> types, std::size_t analyses)
    {
        std::vector<EventRecord> records;
        for (const std::uint32_t type : types)
            records.emplace_back().type = EventTypeId{type};
        EventRun run;
        run.records = records;
        const std::uint64_t found = consumers.of(run);
        std::vector<bool> all;
        for (std::size_t i = 0; i < analyses; ++i)
            all.push_back(EventConsumers::has(found, i));
        return all;
    }
};

HELIO_TEST(TestEventTakers)
#include "tst_event_takers.moc"
