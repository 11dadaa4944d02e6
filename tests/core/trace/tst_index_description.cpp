#include "core/io/fingerprint.h"
#include "core/trace/packed/index_only_trace.h"
#include "core/trace/process/recorded_names.h"
#include "tests/support/fake_trace.h"
#include "tests/support/open_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstring>

using namespace helio;

namespace {

constexpr std::size_t HeadBytes = 8 + 4 + 32; // Magic number, version, hash.

std::shared_ptr<const Trace> opened(const char* format, const char* path)
{
    auto trace = openTrace(format, std::string(SOURCE_DIR "/") + path);
    if (!trace)
        qFatal("%s cannot be opened", path);
    return trace;
}

/// Corrects the hash of a description that was changed, as an attacker would.
void correctHash(std::vector<std::byte>& bytes)
{
    Fingerprint print;
    print.add(std::span(bytes).subspan(HeadBytes));
    std::memcpy(bytes.data() + HeadBytes - 32, print.text().data(), 32);
}

/// True if two modules have the same members and the same names.
bool isSame(const Module& a, const Module& b)
{
    Module plainA = a, plainB = b;
    plainA.names = plainB.names = nullptr;
    if (!(plainA == plainB) || !a.names != !b.names)
        return false;
    if (!a.names)
        return true;
    bool isSame = a.names->size() == b.names->size();
    std::uint64_t number = 0;
    a.names->forEach([&](const RecordedName& name, std::uint64_t bytes) {
        for (const std::uint64_t at : {number, number + bytes - 1}) {
            const RecordedName other = b.names->at(at);
            isSame = isSame && other.function == name.function && other.file == name.file && other.line == name.line
                && other.isInlined == name.isInlined && other.offset.has_value() == name.offset.has_value();
        }
        number += bytes;
    });
    return isSame;
}

} // namespace

class IndexDescriptionTest : public QObject {
    Q_OBJECT

private slots:
    void everythingButTheEventsIsKept_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("path");
        const auto row = [](const char* format, const char* path) { QTest::newRow(path) << QByteArray(format) << QByteArray(path); };
        row("ctf", "resources/samples/workers");
        row("ctf", "tests/fixtures/ust-callstack");
        row("ctf", "tests/fixtures/lossy-small");
        row("perf.data", "tests/fixtures/perf/dwarf.data");
        row("perf.data", "tests/fixtures/perf/group.data");
        row("stack text", "tests/fixtures/perf/fp.script.txt");
    }
    void everythingButTheEventsIsKept()
    {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, path);
        const auto trace = opened(format.constData(), path.constData());
        const auto bytes = describeIndex(*trace);

        auto description = readIndexDescription(bytes);

        QVERIFY2(description, description ? "" : description.error().what.c_str());
        const IndexOnlyTrace copy(std::move(*description), "shown", "stores");
        QCOMPARE(copy.recordedPath(), trace->info().path);
        QCOMPARE(copy.info().path, std::filesystem::path("shown"));
        QCOMPARE(copy.info().identity, trace->info().identity);
        QCOMPARE(copy.info().hostname, trace->info().hostname);
        QCOMPARE(copy.info().environment, trace->info().environment);
        QCOMPARE(copy.info().clock.uuid, trace->info().clock.uuid);
        QCOMPARE(copy.info().clock.offset, trace->info().clock.offset);
        QCOMPARE(copy.info().end, trace->info().end);
        QCOMPARE(copy.eventTypes().size(), trace->eventTypes().size());
        for (std::size_t i = 0; i < copy.eventTypes().size(); ++i)
            QCOMPARE(copy.eventTypes()[EventTypeId(i)].name, trace->eventTypes()[EventTypeId(i)].name);
        QCOMPARE(copy.streams().size(), trace->streams().size());
        for (std::size_t i = 0; i < copy.streams().size(); ++i) {
            QCOMPARE(copy.streams()[i].cpu, trace->streams()[i].cpu);
            QCOMPARE(copy.streams()[i].packets.size(), trace->streams()[i].packets.size());
            QVERIFY(copy.streams()[i].files.empty());
            EventBatch batch;
            QVERIFY(!copy.openStream(std::uint32_t(i), {})->next(batch));
        }
        QCOMPARE(copy.diagnostics().size(), trace->diagnostics().size());
        QVERIFY(std::ranges::equal(copy.modules(), trace->modules(), isSame));
        QCOMPARE(copy.processRecords().size(), trace->processRecords().size());
        for (std::size_t i = 0; i < copy.processRecords().size(); ++i) {
            QCOMPARE(copy.processRecords()[i].time, trace->processRecords()[i].time);
            QCOMPARE(copy.processRecords()[i].name, trace->processRecords()[i].name);
            QCOMPARE(copy.processRecords()[i].mapping.address, trace->processRecords()[i].mapping.address);
        }
        QCOMPARE(copy.topology() != nullptr, trace->topology() != nullptr);
        QVERIFY(!copy.topology() || *copy.topology() == *trace->topology());
        QCOMPARE(copy.samples() != nullptr, trace->samples() != nullptr);
        if (copy.samples()) {
            QCOMPARE(copy.samples()->events().size(), trace->samples()->events().size());
            QCOMPARE(copy.samples()->events().front().name, trace->samples()->events().front().name);
            QCOMPARE(copy.samples()->machine(), trace->samples()->machine());
            QCOMPARE(copy.samples()->stacks().size(), trace->samples()->stacks().size());
        }
    }

    void damageIsFound()
    {
        const auto bytes = describeIndex(*opened("perf.data", "tests/fixtures/perf/fp.data"));
        for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 20)
            QVERIFY(!readIndexDescription(std::span(bytes).first(size)));
        for (std::size_t at = 0; at < bytes.size(); at += 97) {
            auto damaged = bytes;
            damaged[at] ^= std::byte{0x40};
            QVERIFY(!readIndexDescription(damaged));
        }
    }

    /// Property: no content with a correct hash makes a trace with references to things that do not exist.
    void hostileContentsAreSafe()
    {
        for (const auto& bytes : {describeIndex(*opened("perf.data", "tests/fixtures/perf/group.data")),
                                  describeIndex(*opened("stack text", "tests/fixtures/perf/fp.script.txt"))}) {
            int rejected = 0;
            for (std::size_t at = HeadBytes; at < bytes.size(); ++at) {
                auto hostile = bytes;
                hostile[at] = std::byte{0xff};
                correctHash(hostile);
                auto description = readIndexDescription(hostile);
                rejected += !description;
                if (!description)
                    continue;
                const IndexOnlyTrace trace(std::move(*description), "shown", "stores");
                for (const ProcessRecord& record : trace.processRecords())
                    QVERIFY(record.mapping.module == UnknownModule || std::size_t(record.mapping.module) < trace.modules().size());
                if (trace.samples())
                    for (const SampleEvent& event : trace.samples()->events())
                        QVERIFY(std::size_t(event.type) < trace.eventTypes().size());
            }
            QVERIFY(rejected > 0);
        }
    }

    void otherVersionsAreNamed()
    {
        auto bytes = describeIndex(*opened("ctf", "resources/samples/workers"));
        bytes[8] = std::byte{99};
        const auto description = readIndexDescription(bytes);
        QVERIFY(!description);
        QCOMPARE(description.error().kind, Error::Kind::Unsupported);
        QVERIFY(description.error().what.find("heliograph pack") != std::string::npos);
    }
};

HELIO_TEST(IndexDescriptionTest)
#include "tst_index_description.moc"
