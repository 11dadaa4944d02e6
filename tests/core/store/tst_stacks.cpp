// Call stacks and modules in every kind of store, with or without samples, and the detection of damage.

#include "core/store/stacks.h"
#include "tests/core/store/store_bytes.h"
#include "tests/core/store/store_contract.h"
#include "tests/support/made_states.h"
#include "tests/support/test_program.h"

#include <algorithm>
#include <map>
#include <random>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::array Sections{format::SectionId::Stacks, format::SectionId::Modules};

StackFrame frame(std::uint32_t module, std::uint64_t address, bool isReturnAddress = false)
{
    return {ModuleId{module}, isReturnAddress, address};
}

std::vector<Module> madeModules()
{
    Module program;
    program.kind = Module::Kind::File;
    program.path = "/opt/work";
    program.buildId = "0123456789abcdef";
    program.pid = 42;
    program.begin = 0x555500000000;
    program.size = 1 << 20;
    Module kernel;
    kernel.kind = Module::Kind::Kernel;
    kernel.path = "[kernel.kallsyms]";
    kernel.reference = 0xffffffff81000000;
    kernel.referenceName = "_text";
    kernel.textSize = 12345678;
    kernel.release = "6.1.0";
    return {{}, program, kernel};
}

/// Content of a test store: a thousand stacks, and a track that has some of them as values.
struct Filled {
    std::map<std::uint32_t, std::pair<std::uint32_t, StackFrame>> stacks; ///< Caller and frame of each stack, by stack id.
    std::vector<HostInterval> frames;

    explicit Filled(StoreBuilder& builder)
    {
        for (const Module& module : madeModules())
            if (module.kind != Module::Kind::Unknown)
                builder.modules().add(module);
        Track track;
        track.view = "calls";
        track.key = "calls:1";
        track.states = *builder.stateSet(statesNamed("call", {"call"}));
        track.valueKind = ValueKind::Frame;
        track.tid = 7;
        const TrackId calls = builder.addTrack(track);
        std::mt19937_64 random(5);
        for (int i = 0; i < 1000; ++i) {
            const StackId caller{static_cast<std::uint32_t>(random() % (stacks.size() + 1))};
            const StackFrame top = frame(unsigned(random() % 3), random() % 64, random() % 2 == 0);
            const StackId id = builder.stacks().stack(caller, top);
            stacks.insert({std::uint32_t(id), {std::uint32_t(caller), top}});
            const bool isSame = !frames.empty() && frames.back().value == std::uint32_t(id);
            builder.set(at(10 * i), calls, State{}, std::uint32_t(id));
            if (isSame)
                frames.back().range.end = at(10 * i + 10);
            else
                frames.push_back({range(10 * i, 10 * i + 10), State{}, std::uint32_t(id)});
        }
    }
};

} // namespace

class StacksTest : public QObject {
    Q_OBJECT

private:
    StoreFiles m_files;

    QByteArray fileBytes()
    {
        auto builder = fileBuilder(m_files.path("stacks"), at(0));
        Filled filled(*builder);
        finished(*builder, 0, 10'000);
        return m_files.bytesOf("stacks");
    }

private slots:
    void stacksAndModulesComeBackWithoutSamples_data()
    {
        QTest::addColumn<bool>("isFile");
        QTest::addColumn<bool>("isSnapshot");
        QTest::newRow("memory") << false << false;
        QTest::newRow("file") << true << false;
        QTest::newRow("snapshot in memory") << false << true;
        QTest::newRow("snapshot of a file") << true << true;
    }
    void stacksAndModulesComeBackWithoutSamples()
    {
        QFETCH(bool, isFile);
        QFETCH(bool, isSnapshot);
        auto builder = isFile ? fileBuilder(m_files.path("stacks"), at(0)) : makeMemoryStoreBuilder(at(0));
        const Filled filled(*builder);

        const auto store = isSnapshot ? builder->snapshot(at(10'000)) : finished(*builder, 0, 10'000);

        const auto nodes = store->stacks().nodes();
        QCOMPARE(nodes.size(), filled.stacks.size() + 1);
        for (const auto& [id, stack] : filled.stacks) {
            QCOMPARE(std::uint32_t(nodes[id].parent()), stack.first);
            QVERIFY(nodes[id].frame() == stack.second);
        }
        QVERIFY(std::ranges::equal(store->modules(), madeModules()));
        QVERIFY(store->samples().kinds().empty());
        QCOMPARE(store->tracks()[0].valueKind, ValueKind::Frame);
        QVERIFY(store->intervals(TrackId{0}, Always) == filled.frames);
    }

    /// Property: the store keeps the names that were recorded for places in a module's code. The store also keeps the flag that a module's
    /// addresses are relative to its load address.
    void namesOfAModulesPlacesComeBack_data() { stacksAndModulesComeBackWithoutSamples_data(); }
    void namesOfAModulesPlacesComeBack()
    {
        QFETCH(bool, isFile);
        QFETCH(bool, isSnapshot);
        auto builder = isFile ? fileBuilder(m_files.path("names"), at(0)) : makeMemoryStoreBuilder(at(0));
        Module script;
        script.kind = Module::Kind::File;
        script.path = "run.py";
        Module program = madeModules()[1];
        program.isLoadRelative = true;
        const ModuleId named = builder->modules().add(script);
        const ModuleId loaded = builder->modules().add(program);
        const std::uint64_t first = builder->modules().addPlace(named, {"main", {}, false, "run.py", 3});
        const std::uint64_t second = builder->modules().addPlace(named, {"", {}, false, "", 0});
        QVERIFY(first != second);
        QCOMPARE(builder->modules().addPlace(ModuleId{77}, {"nowhere", {}, false, "", 0}), std::uint64_t(0));
        QCOMPARE(builder->modules().addPlace(UnknownModule, {"unknown", {}, false, "", 0}), std::uint64_t(0));

        const auto store = isSnapshot ? builder->snapshot(at(10)) : finished(*builder, 0, 10);
        // Adds a place after the store was made. The store's content must not change.
        builder->modules().addPlace(named, {"later", {}, false, "run.py", 9});

        QVERIFY(store->modules()[std::size_t(loaded)] == program);
        QVERIFY(!store->modules()[0].names); // The unknown module must have no names: addresses in unknown code would get them.
        const RecordedNames& names = *store->modules()[std::size_t(named)].names;
        QCOMPARE(names.size(), std::size_t(3)); // The two names added, and name 0, which stands for all names beyond the maximum number.
        QCOMPARE(names.at(first).function, "main");
        QCOMPARE(names.at(first).file, "run.py");
        QCOMPARE(names.at(first).line, 3u);
        QVERIFY(names.at(second).function.empty() && names.at(second).file.empty());
        QVERIFY(names.at(0).function.empty());
    }

    void stacksAreTheSameForTheSameFrames()
    {
        const auto builder = makeMemoryStoreBuilder(at(0));
        StackSink& sink = builder->stacks();

        const StackId outer = sink.stack(NoStack, frame(1, 10));

        QCOMPARE(sink.stack(NoStack, frame(1, 10)), outer);
        QVERIFY(sink.stack(NoStack, frame(1, 10, true)) != outer);
        QVERIFY(sink.stack(NoStack, frame(2, 10)) != outer);
        QVERIFY(sink.stack(outer, frame(1, 10)) != outer);
    }

    void modulesAreTheSameWhereAllOfThemIs()
    {
        const auto builder = makeMemoryStoreBuilder(at(0));
        Module module = madeModules()[1];

        const ModuleId first = builder->modules().add(module);

        QCOMPARE(first, ModuleId{1});
        QCOMPARE(builder->modules().add(module), first);
        module.begin += 0x1000;
        QCOMPARE(builder->modules().add(module), ModuleId{2});
    }

    void aStoreWithoutThemHasNone()
    {
        auto builder = fileBuilder(m_files.path("none"), at(0));

        const auto store = finished(*builder, 0, 1);

        QVERIFY(store->stacks().isEmpty());
        QCOMPARE(store->stacks().nodes().size(), std::size_t(1));
        QVERIFY(store->modules().empty());
        for (const format::SectionId id : Sections)
            QCOMPARE(sectionOf(m_files.bytesOf("none"), id).id, format::SectionId::None);
    }

    /// Compares Store::tracksOf() with a scan of all tracks.
    void tracksAreFoundByRoleAndNumber()
    {
        for (const bool isFile : {false, true}) {
            auto builder = isFile ? fileBuilder(m_files.path("tracks"), at(0)) : makeMemoryStoreBuilder(at(0));
            std::mt19937 random(2);
            for (int i = 0; i < 200; ++i) {
                Track track;
                track.role = TrackRole(random() % 4);
                track.tid = int(random() % 6) - 1;
                track.cpu = int(random() % 4) - 1;
                builder->addTrack(track);
            }

            const auto store = finished(*builder, 0, 1);

            for (int role = 0; role < 5; ++role)
                for (int number = 0; number < 6; ++number) {
                    std::vector<TrackId> expected;
                    for (std::uint32_t i = 0; i < store->tracks().size(); ++i)
                        if (const Track& it = store->tracks()[i]; it.role == TrackRole(role) && (it.tid >= 0 ? it.tid : it.cpu) == number)
                            expected.push_back(TrackId{i});
                    QVERIFY(std::ranges::equal(store->tracksOf(TrackRole(role), number), expected));
                }
            QVERIFY(store->tracksOf(TrackRole::Other, -1).empty());
        }
    }

    void sectionsThatAreWrongAreCorrupt() { QCOMPARE(m_files.countRefused(fileBytes(), Sections), Sections.size()); }

    void hostileSectionsNeverLeadOutside()
    {
        m_files.askHostile(fileBytes(), Sections, 400, [](const Store& store) {
            const auto nodes = store.stacks().nodes();
            for (std::size_t i = 1; i < nodes.size(); ++i)
                QVERIFY(static_cast<std::size_t>(nodes[i].parent()) < i);
            QVERIFY(store.modules().size() <= 3);
            for (const Module& module : store.modules())
                QVERIFY(module.kind <= Module::Kind::GuestUser);
        });
    }
};

HELIO_TEST(StacksTest)
#include "tst_stacks.moc"
