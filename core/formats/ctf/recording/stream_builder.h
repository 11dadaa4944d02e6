#pragma once

#include "core/formats/ctf/recording/ctf_trace.h"

#include <map>

namespace helio::ctf {

/// Collects the packets of a trace's files and joins them to streams.
///
/// A stream is a stream class and the instance its packets name, over all files and chunks; where packets name none, a file's name.
/// Streams are ordered by class and instance, which orders events of equal time as babeltrace2 does.
class StreamBuilder {
public:
    StreamBuilder(const Metadata& metadata, const std::vector<StreamShape>& shapes, std::vector<Diagnostic>& diagnostics);

    /// Files by folder in the order of time, by name in each. `goOn` is asked after each packet; false: leaves off.
    void addFile(std::shared_ptr<const MappedFile> file, const std::function<bool()>& goOn);

    /// The packets found so far; also from within goOn.
    std::vector<StreamInfo> soFar() const;

    void finish(std::vector<StreamInfo>& streams, std::vector<StreamData>& data);

private:
    struct Key {
        std::uint64_t streamClass = 0;
        bool hasInstance = false;
        std::uint64_t instance = 0;
        std::string file;
        auto operator<=>(const Key&) const = default;
    };
    struct Stream {
        StreamData data;
        std::string label;
    };

    void addPackets(const std::shared_ptr<const MappedFile>& file, std::vector<PacketFacts> packets);
    Stream& streamOf(const PacketFacts& packet, const std::string& fileName);
    void placeForeign();
    void order(StreamData& data);
    static void countLosses(StreamData& data, StreamInfo& info);
    static StreamInfo describe(const Stream& stream);
    static PacketInfo describe(const StreamData& data, const PacketFacts& packet);
    void noteOverlaps(const StreamInfo& info);
    static HostRange rangeOf(const std::vector<StreamInfo>& streams);

    const std::vector<StreamShape>& m_shapes;
    std::vector<Diagnostic>& m_diagnostics;
    PacketScan m_scan;
    std::vector<std::pair<std::shared_ptr<const MappedFile>, std::vector<PacketFacts>>> m_foreign; ///< Files of other traces, it seems.
    std::map<Key, Stream> m_streams;
    std::vector<PacketFacts> m_current; ///< Of the file that is being added.
};

} // namespace helio::ctf
