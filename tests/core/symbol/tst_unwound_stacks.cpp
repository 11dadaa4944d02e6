#include "core/symbol/unwinding/unwinder.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

UnwoundStack stackOf(std::initializer_list<std::uint64_t> addresses, UnwindEnd end = UnwindEnd::Complete)
{
    UnwoundStack stack;
    for (const std::uint64_t address : addresses)
        stack.frames.push_back({ModuleId{1}, address, address + 7, !stack.frames.empty(), false});
    stack.end = end;
    return stack;
}

std::vector<std::uint64_t> addresses(const std::optional<UnwoundStack>& stack)
{
    std::vector<std::uint64_t> all;
    for (const UnwoundFrame& frame : stack ? stack->frames : std::vector<UnwoundFrame>())
        all.push_back(frame.address);
    return all;
}

} // namespace

class UnwoundStacksTest : public QObject {
    Q_OBJECT

private slots:
    void whatWasAddedIsFound()
    {
        UnwoundStacks kept;
        kept.add(7, stackOf({30, 20, 10}));
        kept.add(9, stackOf({31, 20, 10}, UnwindEnd::Truncated));
        kept.add(11, stackOf({}, UnwindEnd::BadRegisters));

        QCOMPARE(addresses(kept.find(7)), (std::vector<std::uint64_t>{30, 20, 10}));
        QCOMPARE(addresses(kept.find(9)), (std::vector<std::uint64_t>{31, 20, 10}));
        QCOMPARE(kept.find(9)->end, UnwindEnd::Truncated);
        QVERIFY(kept.find(9)->frames[1].isReturnAddress);
        QVERIFY(!kept.find(9)->frames[0].isReturnAddress);
        QCOMPARE(kept.find(9)->frames[0].ip, std::uint64_t(38));
        QVERIFY(kept.find(11) && kept.find(11)->frames.empty());
        QVERIFY(!kept.find(8));
    }

    void theSameFunctionWithOtherCallersIsAnotherPlace()
    {
        UnwoundStacks kept;
        kept.add(1, stackOf({20, 10}));
        kept.add(2, stackOf({20, 11}));
        QCOMPARE(addresses(kept.find(1)), (std::vector<std::uint64_t>{20, 10}));
        QCOMPARE(addresses(kept.find(2)), (std::vector<std::uint64_t>{20, 11}));
    }
};

HELIO_TEST(UnwoundStacksTest)
#include "tst_unwound_stacks.moc"
