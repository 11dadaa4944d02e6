// Benchmark of matching the packets of two hosts and of computing the hosts' clocks, compared with indexing as many events.

#include "core/clock/fit/clock_fit.h"
#include "core/correlators/packets/packet_matching.h"
#include "core/experiment/trace_indexer.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"
#include "tests/support/indexed.h"

#include <fmt/format.h>
#include <random>

namespace helio::bench {

namespace {

constexpr std::uint32_t Packets = 5'000'000; ///< Number of packets; each is an event on both hosts.
constexpr std::uint32_t Flows = 2'000;
constexpr std::uint64_t MostEvents = 6'800'000;

/// Makes observations of packets that two hosts exchange, sorted by time. The second host's clock runs 40 ppm faster.
packets::PacketObservations makeObservations()
{
    std::mt19937_64 random(1);
    packets::PacketObservations seen;
    std::vector<std::uint32_t> there, back, sequences(2 * Flows);
    for (std::uint16_t i = 0; i < Flows; ++i) {
        packets::FlowKey key;
        key.version = 4;
        key.protocol = static_cast<std::uint8_t>(packets::Protocol::Tcp);
        key.from = {10, 0, 0, 1};
        key.to = {10, 0, 0, 2};
        key.fromPort = static_cast<std::uint16_t>(20'000 + i);
        key.toPort = 80;
        there.push_back(seen.flows.idOf(key));
        back.push_back(seen.flows.idOf(key.back()));
    }
    seen.all.reserve(2 * std::size_t(Packets));
    for (std::uint32_t i = 0; i < Packets; ++i) {
        const std::uint64_t dice = random();
        const auto number = static_cast<std::uint32_t>(dice % (2 * Flows));
        const bool isReverse = number >= Flows;
        packets::PacketObservation out;
        const std::int64_t sent = std::int64_t(i) * 10'000;
        const std::int64_t received = sent + 30'000 + std::int64_t(dice >> 40) % 200'000;
        const auto ofSecond = [](std::int64_t t) { return hostTime(4'000'000'000 + t + t / 25'000); };
        out.time = isReverse ? ofSecond(sent) : hostTime(sent);
        out.flow = isReverse ? back[number - Flows] : there[number];
        out.sequence = sequences[number] += 1'000;
        out.length = 1'040;
        out.headers = 40;
        out.id = static_cast<std::uint16_t>(i);
        out.trace = isReverse ? 1 : 0;
        out.isOut = true;
        out.hops = 64;
        packets::PacketObservation in = out;
        in.time = isReverse ? hostTime(received) : ofSecond(received);
        in.trace = isReverse ? 0 : 1;
        in.isOut = false;
        seen.all.push_back(out);
        seen.all.push_back(in);
    }
    seen.events = seen.all.size();
    seen.traces.resize(2);
    return seen;
}

std::vector<ClockSample> passagesOf(const Transmissions& found)
{
    std::vector<ClockSample> passages;
    passages.reserve(found.all.size());
    for (const Transmission& it : found.all)
        passages.push_back(it.fromTrace == 0 ? ClockSample{it.received, timestamp(nanoseconds(it.sent)), true}
                                             : ClockSample{it.sent, timestamp(nanoseconds(it.received)), false});
    return passages;
}

double secondsToIndex(const Trace& trace, const std::filesystem::path& folder)
{
    return threadSecondsOf([&] {
        const auto builder = makeFileStoreBuilder(folder / "one.store", "bench", claimedRange(trace).begin,
                                                  {.onFailure = [](const Error& error) { stop(error.what); }});
        IndexPass pass;
        pass.parts.push_back({&test::analysisOf("kernel"), {}, builder.get()});
        IndexProgress progress;
        if (const auto done = indexTrace(trace, pass, progress, 1, {}, {}); !done)
            stop(done.error().what);
    });
}

} // namespace

void measureHosts(Measuring& m)
{
    const std::uint64_t events = std::min(m.subject.requestedEvents(), MostEvents);
    const auto scratch = m.subject.scratch() / "hosts";
    std::filesystem::create_directories(scratch);
    const auto experiment = m.subject.open(events);
    const auto trace = experiment->timeline()->traces.front().trace;
    constexpr double Millions = 2e-6 * Packets;
    Samples matching, fitting, indexing;
    for (int i = 0; i < m.repeat; ++i) {
        packets::PacketObservations seen = makeObservations();
        Transmissions found;
        matching.add(threadSecondsOf([&] { found = packets::matchPackets(std::move(seen), [](std::uint32_t it) { return it; }, {}); }));
        if (found.all.size() != Packets)
            stop("the benchmark's packets do not match");
        const std::vector<ClockSample> passages = passagesOf(found);
        fitting.add(threadSecondsOf([&] {
            if (fitClocks(passages).quality != FitQuality::Accurate)
                stop("the benchmark's clocks are not found");
        }));
        indexing.add(secondsToIndex(*trace, scratch));
    }
    const double indexed = double(m.subject.eventsOf(events)) / 1e6 / indexing.best();
    const double both = Millions / (matching.best() + fitting.best());
    m.figures.add({"hosts_matching",
                   fmt::format("{:.0f} M events of packets: both ends found, one thread", Millions),
                   "M events/s",
                   Millions / matching.best(),
                   Millions / matching.median(),
                   {},
                   {},
                   true});
    m.figures.add({"hosts_clocks",
                   "the hosts' clocks from them, one thread",
                   "M packets/s",
                   Millions / 2 / fitting.best(),
                   Millions / 2 / fitting.median(),
                   {},
                   {},
                   true});
    m.figures.add({"hosts_share", "both beside the indexing of as many events", "times", both / indexed, {}, {}, {}, true});
}

} // namespace helio::bench
