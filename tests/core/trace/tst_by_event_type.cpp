#include "core/trace/fields/values_by_event_type.h"
#include "tests/support/fake_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class ByEventTypeTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsKnownIsOfItsTypeAndOthersHaveWhatIsMade()
    {
        const test::FakeTrace trace({}, {"a", "bb", "a", "ccc"}, {});
        const ValuesByEventType<std::string> known(trace, [](const EventType& type, EventTypeId id) {
            return type.name == "a" ? std::nullopt : std::optional(type.name + std::to_string(static_cast<std::uint32_t>(id)));
        });

        QCOMPARE(known[EventTypeId{0}], std::string());
        QCOMPARE(known[EventTypeId{1}], std::string("bb1"));
        QCOMPARE(known[EventTypeId{2}], std::string());
        QCOMPARE(known[EventTypeId{3}], std::string("ccc3"));
        QVERIFY(!known.has(EventTypeId{2}));
        QVERIFY(known.has(EventTypeId{3}));
        QCOMPARE(std::vector(known.known().begin(), known.known().end()), (std::vector<std::string>{"bb1", "ccc3"}));
    }
};

HELIO_TEST(ByEventTypeTest)
#include "tst_by_event_type.moc"
