// Fuzzer of session files: what was read must be the same after it was written and read again. No input may cause a crash, a hang, or more
// memory use than the size of the text justifies.

#include "app/gui/common/session_file.h"
#include "tests/fuzz/fuzz_input.h"

#include <QDir>
#include <QJsonDocument>

#include <cstdlib>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const FuzzFolder folder;
    const QString path = QString::fromStdString(folder.write("fuzzed.heliograph", fuzzText(data, size)).string());
    const auto json = readSessionFile(path);
    if (!json)
        return 0;
    SessionState state = sessionFrom(*json);
    const QJsonObject written = sessionJson(state);
    if (sessionJson(sessionFrom(written)) != written)
        std::abort();
    const QDir here(QString::fromStdString(folder.path().string()));
    makeAbsolute(here, state);
    makeRelative(here, state);
    return 0;
}
