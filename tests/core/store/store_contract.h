#pragma once

#include "core/store/store.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace helio::test {

/// A way to build a store. The contract tests run once for each way.
struct Maker {
    std::string name;
    std::function<std::unique_ptr<StoreBuilder>(HostTimestamp begin)> make;
};

inline HostTimestamp at(std::int64_t ns) { return hostTime(ns); }
inline HostRange range(std::int64_t begin, std::int64_t end) { return {at(begin), at(end)}; }
inline HostInterval interval(std::int64_t begin, std::int64_t end, int state, std::uint32_t value = 0)
{
    return {range(begin, end), State(static_cast<std::uint8_t>(state)), value};
}

inline StoreSummary summaryOf(std::int64_t begin, std::int64_t end)
{
    StoreSummary summary;
    summary.range = range(begin, end);
    return summary;
}

inline std::shared_ptr<const Store> finished(StoreBuilder& builder, std::int64_t begin, std::int64_t end)
{
    auto result = builder.finish(summaryOf(begin, end));
    if (!result)
        qFatal("%s", result.error().what.c_str());
    return *result;
}

inline std::unique_ptr<StoreBuilder> fileBuilder(const QString& path, HostTimestamp begin, std::string_view identity = "id",
                                                 FileStoreOptions building = {})
{
    if (!building.onFailure)
        building.onFailure = [](const Error& error) { qFatal("%s", error.what.c_str()); };
    return makeFileStoreBuilder(path.toStdString(), identity, begin, building);
}

constexpr HostRange Always{hostTime(std::numeric_limits<std::int64_t>::min()), hostTime(std::numeric_limits<std::int64_t>::max())};

} // namespace helio::test
