// What users read: every file of test/data/diagnostics/ holds cases of input lines and the whole text that they give.
//
//     # a title
//     > a line of input, as it stands
//     ~ a line of input with \t, \r, \\ and \xNN
//     ! errno 34            the kernel's answer to the last message: errno and the parts of the extended ACK
//     ! text TEXT
//     ! offset BYTES
//     ! policy WORDS
//     ! missing-type TYPE
//     ! missing-nest BYTES
//     error: ...            the text, up to the next title
//
// With NLSTREAM_WRITE_DIAGNOSTICS set the files are written anew: look at what has changed before it is committed.
#include <linux/netlink.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/complaints.hpp"
#include "netlink/links.hpp"
#include "netlink/received.hpp"
#include "pipeline/encode_stage.hpp"
#include "test/support/fixed_world.hpp"

using namespace nlstream;

namespace {

std::filesystem::path const folder = std::filesystem::path(NLSTREAM_SOURCE) / "test/data/diagnostics";

struct Case {
    std::string title;
    std::vector<std::string> head;  ///< the lines before the text, as they stand
    std::string input;
    std::optional<Answer> answer;
    std::string expected;
};

std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        auto const c = text.at(++i);
        if (c == 'x') {
            out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
            i += 2;
        } else {
            out += c == 't' ? '\t' : c == 'r' ? '\r' : c;
        }
    }
    return out;
}

void read_answer_part(Answer& answer, std::string const& line) {
    auto const space = line.find(' ');
    auto const name = line.substr(0, space);
    auto const value = line.substr(space + 1);
    auto const number = [&] { return static_cast<u32>(std::stoul(value)); };
    if (name == "errno")
        answer.error = static_cast<int>(number());
    else if (name == "text")
        answer.text = value;
    else if (name == "offset")
        answer.offset = number();
    else if (name == "policy")
        answer.policy = value;
    else if (name == "missing-type")
        answer.missing_type = static_cast<u16>(number());
    else if (name == "missing-nest")
        answer.missing_nest = number();
    else
        throw std::runtime_error("no such part of an answer: " + line);
}

std::vector<Case> read_cases(std::filesystem::path const& path) {
    std::ifstream in(path);
    std::vector<Case> cases;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("# ")) {
            cases.emplace_back().title = line.substr(2);
            continue;
        }
        auto& one = cases.at(cases.size() - 1);
        auto const rest = line.size() > 1 ? line.substr(2) : "";
        if (line.starts_with('>'))
            one.input += rest + '\n';
        else if (line.starts_with('~'))
            one.input += unescaped(rest) + '\n';
        else if (line.starts_with('!'))
            read_answer_part(one.answer ? *one.answer : one.answer.emplace(), rest);
        else {
            one.expected += line + '\n';
            continue;
        }
        one.head.push_back(line);
    }
    return cases;
}

/// What a stream of the input prints, if the kernel gives the answer.
class World {
  public:
    World() {
        kernel_.add({.index = 1, .name = "lo", .address_length = 6});
        kernel_.add({.index = 2, .name = "eth0", .address_length = 6});
        kernel_.add({.index = 3, .name = "eth0.7", .kind = "vlan", .address_length = 6});
        kernel_.add({.index = 4, .name = "br0", .kind = "bridge", .address_length = 6});
    }

    std::string text(Case const& one) {
        Batch batch;
        batch.file = "rules";
        batch.text.assign(one.input.begin(), one.input.end());
        batch.text_size = one.input.size();
        EncodeStage stage(encoder_, {.stop_at_rejection = false});
        std::size_t position = 0;
        BOOST_REQUIRE(stage.encode(batch, position, true) == EncodeStage::Step::out_of_text);
        std::string out;
        for (auto const& rejection : batch.rejections)
            out += text({.outcome = Outcome::rejected,
                                 .file = batch.file,
                                 .number = batch.first_number + batch.lines[rejection.line].number,
                                 .raw = batch.raw(batch.lines[rejection.line]),
                                 .origin = batch.origin(batch.lines[rejection.line]),
                                 .rejection = &rejection});
        if (one.answer) out += refused(batch, *one.answer);
        return out;
    }

  private:
    std::string text(Ending const& ending) {
        return render_failure(explainer_.explain(ending).value(), ending.file, ending.number, false);
    }
    std::string refused(Batch const& batch, Answer answer) {
        BOOST_REQUIRE(!batch.lines.empty());
        auto const& line = batch.lines.back();
        for_each_message(batch.messages.bytes(), [&](nlmsghdr const& message) {
            answer.request_length = message.nlmsg_len;
            answer.request_type = message.nlmsg_type;
            answer.request_flags = message.nlmsg_flags;
        });
        auto const first = batch.lines.size() > 1 ? batch.lines[batch.lines.size() - 2].messages_end : 0;
        return text({.outcome = Outcome::failed,
                             .file = batch.file,
                             .number = batch.first_number + line.number,
                             .raw = batch.raw(line),
                             .continued = line.continued,
                             .origin = batch.origin(line),
                             .message = line.messages_end - first - 1,
                             .answer = &answer});
    }

    test::TableKernel kernel_;
    test::MemoryFiles files_;
    Encoder encoder_{kernel_, files_, {}};
    Explainer explainer_{files_, {}};
};

}  // namespace

BOOST_AUTO_TEST_CASE(texts) {
    std::size_t count = 0;
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
        std::ostringstream written;
        for (auto const& one : read_cases(entry.path())) {
            ++count;
            auto const text = World().text(one);
            BOOST_CHECK_MESSAGE(!text.empty(), entry.path().filename() << ": " << one.title << ": nothing is wrong");
            if (!std::getenv("NLSTREAM_WRITE_DIAGNOSTICS"))
                BOOST_CHECK_MESSAGE(text == one.expected, entry.path().filename() << ": " << one.title << ":\n"
                                                                                  << text << "instead of\n"
                                                                                  << one.expected);
            written << "# " << one.title << '\n';
            for (auto const& line : one.head) written << line << '\n';
            written << text;
        }
        if (std::getenv("NLSTREAM_WRITE_DIAGNOSTICS")) std::ofstream(entry.path()) << written.str();
    }
    BOOST_CHECK_GE(count, 60);
}
