#include "tests/bench/make_trace.h"

#include <fstream>

namespace helio::bench {

bool makeTrace(const MadeTrace& made, const std::filesystem::path& folder)
{
    constexpr std::int64_t Begin = 1'700'000'000'000'000'000; // Beginning of the trace in ns since the epoch.
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    MadeNumbers numbers(made.seed ^ 0x75756964);
    MadeUuid uuid{};
    MadeUuid clock{};
    for (auto& byte : uuid)
        byte = std::uint8_t(numbers.next());
    for (auto& byte : clock)
        byte = std::uint8_t(numbers.next());
    std::ofstream metadata(folder / "metadata", std::ios::binary | std::ios::trunc);
    metadata << madeMetadata(uuid, clock, Begin);
    metadata.close();
    std::vector<StreamWriter> streams;
    for (std::uint32_t cpu = 0; cpu < made.cpus; ++cpu)
        streams.emplace_back(folder / ("channel0_" + std::to_string(cpu)), uuid, cpu);
    MadeMachine(made, streams).run();
    bool isGood = !metadata.fail();
    for (StreamWriter& stream : streams)
        isGood = stream.close() && isGood;
    return isGood;
}

} // namespace helio::bench
