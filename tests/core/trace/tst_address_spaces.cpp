#include "core/trace/process/address_spaces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace helio;

namespace {

constexpr std::int32_t Pid = 10;

ProcessRecord map(std::int32_t pid, std::uint64_t address, std::uint64_t size, std::uint64_t offset, std::uint32_t module)
{
    ProcessRecord record;
    record.kind = ProcessRecord::Kind::Map;
    record.pid = pid;
    record.mapping = {address, size, offset, ModuleId{module}};
    return record;
}

ProcessRecord life(ProcessRecord::Kind kind, std::int32_t pid, std::int32_t parent = -1)
{
    ProcessRecord record;
    record.kind = kind;
    record.pid = record.tid = pid;
    record.parentPid = record.parentTid = parent;
    return record;
}

std::vector<Module> modules()
{
    std::vector<Module> all(4);
    all[1].kind = all[2].kind = Module::Kind::File;
    all[3].kind = Module::Kind::Kernel;
    return all;
}

/// Looks up an address and returns the result as text: "module:address in the module".
QString at(AddressSpaces& spaces, std::int32_t pid, std::uint64_t address)
{
    const ModuleAddress place = spaces.find(pid, address);
    return QStringLiteral("%1:%2").arg(static_cast<std::uint32_t>(place.module)).arg(place.address);
}

} // namespace

class AddressSpacesTest : public QObject {
    Q_OBJECT

private slots:
    void anAddressIsAnOffsetInItsFile()
    {
        const auto all = modules();
        AddressSpaces spaces(all);
        spaces.take(map(Pid, 1000, 100, 40, 1));

        QCOMPARE(at(spaces, Pid, 1000), QStringLiteral("1:40"));
        QCOMPARE(at(spaces, Pid, 1099), QStringLiteral("1:139"));
        QCOMPARE(at(spaces, Pid, 1100), QStringLiteral("0:1100"));
        QCOMPARE(at(spaces, Pid, 999), QStringLiteral("0:999"));
        QCOMPARE(at(spaces, Pid + 1, 1000), QStringLiteral("0:1000"));
    }

    void kernelAddressesAreTheKernelsOwn()
    {
        const auto all = modules();
        AddressSpaces spaces(all);
        spaces.take(map(AddressSpaces::KernelPid, 0xffff0000, 0x1000, 7, 3));

        QCOMPARE(at(spaces, AddressSpaces::KernelPid, 0xffff0010), QStringLiteral("3:%1").arg(0xffff0010u));
    }

    void aMappingCutsWhatItOverlaps()
    {
        const auto all = modules();
        AddressSpaces spaces(all);
        spaces.take(map(Pid, 1000, 100, 0, 1));
        spaces.take(map(Pid, 1040, 20, 500, 2));

        QCOMPARE(at(spaces, Pid, 1039), QStringLiteral("1:39"));
        QCOMPARE(at(spaces, Pid, 1040), QStringLiteral("2:500"));
        QCOMPARE(at(spaces, Pid, 1060), QStringLiteral("1:60"));
        QCOMPARE(at(spaces, Pid, 1099), QStringLiteral("1:99"));
    }

    void aForkCopiesAndLaterChangesAreEachOnesOwn()
    {
        const auto all = modules();
        AddressSpaces spaces(all);
        spaces.take(map(Pid, 1000, 100, 0, 1));
        spaces.take(life(ProcessRecord::Kind::Fork, 11, Pid));
        spaces.take(map(Pid, 1000, 50, 0, 2));

        QCOMPARE(at(spaces, 11, 1010), QStringLiteral("1:10"));
        QCOMPARE(at(spaces, Pid, 1010), QStringLiteral("2:10"));

        spaces.take(map(11, 1000, 100, 30, 2));

        QCOMPARE(at(spaces, 11, 1060), QStringLiteral("2:90"));
        QCOMPARE(at(spaces, Pid, 1060), QStringLiteral("1:60"));
    }

    void anExecLeavesTheOldProgramUntilTheNewOneIsSeen()
    {
        const auto all = modules();
        AddressSpaces spaces(all);
        spaces.take(map(Pid, 1000, 100, 0, 1));
        spaces.take(life(ProcessRecord::Kind::Exec, Pid));
        spaces.take(map(Pid, 5000, 100, 0, 2));
        // The process is still within execve(): the address is looked up in the old program's map.
        QCOMPARE(at(spaces, Pid, 1010), QStringLiteral("1:10"));
        QVERIFY(spaces.spaceOf(Pid)->size() == 1);

        QCOMPARE(at(spaces, Pid, 5010), QStringLiteral("2:10"));

        QCOMPARE(at(spaces, Pid, 1010), QStringLiteral("0:1010"));
    }

    void aSecondExecLeavesTheFirstProgram()
    {
        const auto all = modules();
        AddressSpaces spaces(all);
        spaces.take(map(Pid, 1000, 100, 0, 1));
        spaces.take(life(ProcessRecord::Kind::Exec, Pid));
        spaces.take(map(Pid, 5000, 100, 0, 2));
        spaces.take(life(ProcessRecord::Kind::Exec, Pid));

        QCOMPARE(at(spaces, Pid, 1010), QStringLiteral("0:1010"));
        QCOMPARE(at(spaces, Pid, 5010), QStringLiteral("2:10"));
    }

    void aNewThreadSharesItsProcessesMappings()
    {
        const auto all = modules();
        AddressSpaces spaces(all);
        spaces.take(map(Pid, 1000, 100, 0, 1));
        spaces.take(life(ProcessRecord::Kind::Fork, Pid, Pid));

        QCOMPARE(at(spaces, Pid, 1010), QStringLiteral("1:10"));
    }

    void mappingsToTheEndOfMemoryAreWhole()
    {
        const auto all = modules();
        AddressSpaces spaces(all);
        spaces.take(map(Pid, ~0ull - 10, 1000, 0, 1));
        spaces.take(map(Pid, ~0ull - 5, ~0ull, 0, 2));

        QCOMPARE(at(spaces, Pid, ~0ull - 8), QStringLiteral("1:2"));
        QCOMPARE(at(spaces, Pid, ~0ull - 5), QStringLiteral("2:0"));
    }

    void anyMappingsAnswerAsAnArrayDoes()
    {
        std::vector<Module> all(50);
        for (Module& module : all)
            module.kind = Module::Kind::File;
        AddressSpaces spaces(all);
        std::vector<std::pair<std::uint32_t, std::uint64_t>> model(300);
        for (std::size_t i = 0; i < model.size(); ++i)
            model[i] = {0, i};
        std::mt19937 random(5);
        for (int round = 0; round < 500; ++round) {
            const std::uint64_t begin = random() % 250;
            const std::uint64_t size = random() % 50;
            const std::uint32_t module = 1 + random() % 49;
            const std::uint64_t offset = random() % 1000;
            spaces.take(map(Pid, begin, size, offset, module));
            for (std::uint64_t i = 0; i < size; ++i)
                model[begin + i] = {module, offset + i};
            for (std::uint64_t i = 0; i < model.size(); ++i)
                QCOMPARE(at(spaces, Pid, i), QStringLiteral("%1:%2").arg(model[i].first).arg(model[i].second));
        }
    }
};

HELIO_TEST(AddressSpacesTest)
#include "tst_address_spaces.moc"
