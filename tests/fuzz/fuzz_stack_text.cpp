// Fuzzer of the readers of stacks as text (perf script, folded stacks) and of /proc/lock_stat. No input may cause a crash, a hang, or more
// memory use than the size of the text justifies.

#include "core/formats/stack_text/folded_reader.h"
#include "core/formats/stack_text/script_reader.h"
#include "core/trace/merged_events.h"
#include "core/waits/locks/lock_stat.h"
#include "tests/fuzz/fuzz_input.h"

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = fuzzText(data, size);
    (void)stacktext::isScript(text, true);
    (void)stacktext::beginsWithTimedSample(text);
    SampleRecording script("fuzzed");
    (void)stacktext::readScript(text, script, {});
    script.finish();
    (void)stacktext::countFoldedColumns(text, false, false);
    if (const int columns = stacktext::countFoldedColumns(text, true, true); columns > 0) {
        SampleRecording folded("fuzzed");
        (void)stacktext::readFolded(text, columns, folded, {});
        folded.finish();
    }
    if (isLockStat(text))
        if (const auto stat = parseLockStat(text))
            for (const LockStatClass& lockClass : stat->classes)
                (void)meanOf(lockClass.waits, lockClass.acquisitions);
    return 0;
}
