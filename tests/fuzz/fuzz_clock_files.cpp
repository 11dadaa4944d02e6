// Fuzzer of the files of --sync, which relate clocks: a session must keep what was read. No input may cause a crash, a hang, or more memory
// use than the size of the text justifies.

#include "app/timesync/clock_settings_json.h"
#include "app/timesync/sync_file.h"
#include "tests/fuzz/fuzz_input.h"

#include <cstdlib>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const FuzzFolder folder;
    auto settings = readSyncFile(folder.write("sync.json", fuzzText(data, size)));
    if (!settings)
        return 0;
    for (auto& [host, clock] : settings->hosts)
        if (clock.error == Duration{} && !clock.origin) // Session files take this error bound for unknown, as earlier versions wrote it.
            clock.error = Duration::max();
    const QJsonObject written = clockSettingsJson(*settings);
    if (clockSettingsJson(clockSettingsFrom(written)) != written)
        std::abort();
    return 0;
}
