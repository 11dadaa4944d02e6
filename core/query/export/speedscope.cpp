#include "core/query/export/speedscope.h"

#include "core/query/export/text_pieces.h"
#include "core/query/samples/call_path.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

/// The functions of all parts, each once.
class FrameList {
public:
    std::uint32_t placeOf(const SampledFunction& function)
    {
        const auto [place, isNew] =
            m_places.try_emplace({function.label(), function.modulePath}, static_cast<std::uint32_t>(m_frames.size()));
        if (isNew)
            m_frames.push_back(&place->first);
        return place->second;
    }

    bool write(Pieces& pieces) const
    {
        std::string& out = pieces.text();
        for (std::size_t i = 0; i < m_frames.size(); ++i) {
            out += i == 0 ? "{\"name\":" : ",{\"name\":";
            appendJson(out, m_frames[i]->first);
            if (!m_frames[i]->second.empty()) {
                out += ",\"file\":";
                appendJson(out, m_frames[i]->second);
            }
            out += '}';
            if (!pieces.flushIfFull())
                return false;
        }
        return true;
    }

private:
    using Frame = std::pair<std::string, std::string>; ///< Name and file.
    std::map<Frame, std::uint32_t> m_places;
    std::vector<const Frame*> m_frames;
};

/// One thread's samples of one kind, ready to be written.
struct Sequence {
    std::string name;
    bool isTime = false;
    std::uint64_t sum = 0;
    std::vector<std::vector<std::uint32_t>> stacks; ///< In the frame list, root first. Those that follow each other may be alike.
    std::vector<std::uint64_t> weights;
};

std::string nameOf(const SpeedscopePart& part, const SampledThread& thread)
{
    const std::string comm = thread.comm.empty() ? "unknown thread" : thread.comm;
    return part.profile.kind.name + ": " + comm + (thread.tid >= 0 ? " (" + std::to_string(thread.tid) + ')' : "");
}

/// Identifies a thread under whatever name it was sampled.
std::tuple<std::uint32_t, TrackId, std::int32_t> keyOf(const SampledThread& thread) { return {thread.trace, thread.ref.track, thread.tid}; }

std::vector<Sequence> sequencesOf(const SpeedscopePart& part, const CallTreeOptions& options, FrameList& frames)
{
    CallPaths paths(part.profile, part.names, options);
    std::vector<std::vector<std::uint32_t>> all(part.profile.stacks.size()); // Functions, until they are known by their places.
    std::vector<bool> isIn(all.size());
    std::vector<CallPaths::Step> path;
    for (std::size_t i = 0; i < all.size(); ++i) {
        isIn[i] = paths.pathOf(part.profile.stacks[i], path);
        for (const CallPaths::Step& step : path)
            all[i].push_back(static_cast<std::uint32_t>(step.function));
    }
    const std::vector<SampledFunction> functions = paths.takeFunctions();
    std::map<std::tuple<std::uint32_t, TrackId, std::int32_t>, Sequence> byThread;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const CollectedStack& stack = part.profile.stacks[i];
        const std::uint64_t weight = amount(sumOf(stack), part.by);
        if (!isIn[i] || weight == 0)
            continue;
        const SampledThread& thread = part.profile.threads[stack.thread];
        Sequence& to = byThread[keyOf(thread)];
        to.name = nameOf(part, thread);
        to.isTime = part.by == WeightBy::Weight && part.profile.kind.unit == "ns";
        to.sum += weight;
        to.weights.push_back(weight);
        for (std::uint32_t& frame : all[i])
            frame = frames.placeOf(functions[frame]);
        to.stacks.push_back(std::move(all[i]));
    }
    std::vector<Sequence> sequences;
    for (auto& [key, sequence] : byThread)
        sequences.push_back(std::move(sequence));
    std::ranges::stable_sort(sequences, std::greater(), &Sequence::sum);
    return sequences;
}

bool writeSequence(const Sequence& sequence, Pieces& pieces)
{
    std::string& out = pieces.text();
    out += "{\"type\":\"sampled\",\"name\":";
    appendJson(out, sequence.name);
    out += sequence.isTime ? ",\"unit\":\"nanoseconds\"" : ",\"unit\":\"none\"";
    out += ",\"startValue\":0,\"endValue\":" + std::to_string(sequence.sum) + ",\"samples\":[";
    for (std::size_t i = 0; i < sequence.stacks.size(); ++i) {
        out += i == 0 ? "[" : ",[";
        for (std::size_t n = 0; n < sequence.stacks[i].size(); ++n)
            (out += n == 0 ? "" : ",") += std::to_string(sequence.stacks[i][n]);
        out += ']';
        if (!pieces.flushIfFull())
            return false;
    }
    out += "],\"weights\":[";
    for (std::size_t i = 0; i < sequence.weights.size(); ++i) {
        (out += i == 0 ? "" : ",") += std::to_string(sequence.weights[i]);
        if (!pieces.flushIfFull())
            return false;
    }
    out += "]}";
    return true;
}

} // namespace

void writeSpeedscope(std::span<const SpeedscopePart> parts, const CallTreeOptions& options, std::string_view name, const TextSink& write)
{
    FrameList frames;
    std::vector<Sequence> sequences;
    for (const SpeedscopePart& part : parts)
        std::ranges::move(sequencesOf(part, options, frames), std::back_inserter(sequences));
    Pieces pieces(write);
    std::string& out = pieces.text();
    out += R"({"$schema":"https://www.speedscope.app/file-format-schema.json","version":"0.0.1","exporter":"heliograph","name":)";
    appendJson(out, name);
    out += ",\"activeProfileIndex\":0,\"shared\":{\"frames\":[";
    if (!frames.write(pieces))
        return;
    out += "]},\"profiles\":[";
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        out += i == 0 ? "" : ",";
        if (!writeSequence(sequences[i], pieces))
            return;
    }
    out += "]}\n";
}

} // namespace helio
